import type { Composer, Middleware } from 'grammy'
import { settle, waitingFile } from '../dialog/external-id.ts'
import { type IncomingContext, onButton, tappedMessage } from '../dialog/incoming.ts'
import { isOrganizer, mayDecide } from '../dialog/organizer.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { OrganizerAct } from '../domain/account.ts'
import type { Failure, Found, readOutcome } from '../jobs/call-table.ts'
import { noticeSwitches } from '../storage/documents/notices.ts'
import { buttons } from '../views/buttons.ts'
import { noticesView } from '../views/organizer-notices.ts'
import { answerQuestions } from './answer-questions.ts'
import { audit } from './audit.ts'
import { cards, showCard } from './card.ts'
import { grouping } from './groups.ts'
import { homes } from './home.ts'
import { managing } from './invitation.ts'
import { inviting, takeInvitable } from './invite.ts'
import { askForBoth } from './kept-listings.ts'
import { lists, takeBoth, takeGone, takePage } from './lists.ts'
import { nudging } from './nudge.ts'
import { releasing } from './release.ts'
import { seenIn } from './seen.ts'
import { sendFound, sendingResults } from './send-result.ts'
import { exporting, status } from './status.ts'

/**
 * Commands and buttons of organizers. Every update checks again who is an organizer. Any other account gets
 * the answer to an unknown command or an old button.
 */
export function organizer(composer: Composer<IncomingContext>): void {
  const own = composer.filter(({ ctx }) => isOrganizer(ctx))
  own.use(noteName)
  const handlers = [
    homes,
    lists,
    cards,
    nudging,
    grouping,
    inviting,
    managing,
    notices,
    status,
    answerQuestions,
  ]
  for (const handle of handlers) handle(own)
  const deciding = own.filter(({ ctx }) => mayDecide(ctx))
  for (const handle of [releasing, sendingResults, exporting, audit]) handle(deciding)
}

/** Stores an organizer's name in Telegram, because notices to the other organizers name them. */
const noteName: Middleware<IncomingContext> = ({ ctx, from }, next) => {
  if (from) ctx.account.calledAs = [from.first_name, from.last_name].filter(Boolean).join(' ')
  return next()
}

/**
 * `/notices`: which notices this organizer gets; and the buttons of the notice about an external id that is
 * taken. The participant cannot settle that, so an organizer goes on without an id, or with another one.
 */
function notices(composer: Composer<IncomingContext>): void {
  composer.command('notices', async ({ ctx }) => {
    const { off = [] } = (await ctx.work.get(noticeSwitches, ctx.who)) ?? {}
    await ctx.send(noticesView(ctx.t, off))
  })
  onButton(composer, buttons.notice, async (incoming, _, kind, wish) => {
    const { work, who, t } = incoming.ctx
    const { off = [] } = (await work.get(noticeSwitches, who)) ?? {}
    const others = off.filter((each) => each !== kind)
    const left = wish === 'on' ? others : [...others, kind]
    work.put(noticeSwitches, who, { off: left })
    await incoming.ctx.show(tappedMessage(incoming), noticesView(t, left))
  })
  onButton(composer, buttons.extid, async (incoming, _, s, wish) => {
    const { ctx } = incoming
    const file = await waitingFile(ctx, s)
    const isSettled = !file || wish === 'drop'
    // An organizer who is asked for another id may still go on without one.
    if (isSettled) ctx.removeButtons(tappedMessage(incoming))
    if (isSettled) return settle(ctx, file, [])
    ctx.due = { show: 'aside', aside: { ask: 'external-id', s } }
  })
}

/** Uses the service's answer for the organizer's purpose. Former organizers learn nothing of it. */
export async function takeAnswer(
  ctx: UpdateContext,
  act: OrganizerAct,
  came: ReturnType<typeof readOutcome>,
): Promise<void> {
  if (!isOrganizer(ctx)) return
  if (!came.outcome.ok) return sendFailure(ctx, act, came.outcome)
  if (
    act.act === 'page' &&
    (came.kind === 'listRecords' || came.kind === 'listRoadmaps' || came.kind === 'findSome')
  )
    return takePage(ctx, act, came.outcome.value)
  if (act.act === 'search' && came.kind === 'search') return takeBoth(ctx, act.text, came.outcome.value)
  if (came.kind !== 'find' || act.act === 'page' || act.act === 'search') return
  await takeFound(ctx, act, came.outcome.value)
}

async function takeFound(
  ctx: UpdateContext,
  act: Exclude<OrganizerAct, { act: 'page' | 'search' }>,
  found: Found,
) {
  const seen = seenIn(found)
  switch (act.act) {
    case 'invite':
      return takeInvitable(ctx, act, found)
    case 'seek':
      // A token that is neither a record's nor a roadmap's may be a profile's.
      return seen ? showCard(ctx, seen) : askForBoth(ctx, act.token)
    case 'send':
      return sendFound(ctx, found)
    case 'card':
      return seen ? showCard(ctx, seen, act) : sendText(ctx, 'organizer-unknown')
  }
  act satisfies never
}

/** Says why the service did not answer. Nothing has been changed. */
async function sendFailure(ctx: UpdateContext, act: OrganizerAct, { code }: Failure): Promise<void> {
  if (code === 'key_invalid' || code === 'forbidden') return sendText(ctx, 'organizer-key')
  // A list may have fewer pages by now.
  if (code === 'not_found')
    return act.act === 'page' ? takeGone(ctx, act) : sendText(ctx, 'organizer-unknown')
  await sendText(ctx, code === 'bad_request' ? 'organizer-refused' : 'organizer-down')
}
