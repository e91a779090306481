import { Composer, type Middleware } from 'grammy'
import { settle, waitingFile } from '../dialog/external-id.ts'
import { type IncomingContext, onButton, tappedMessage } from '../dialog/incoming.ts'
import { sendText } from '../dialog/notify.ts'
import { isOrganizer, mayDecide } from '../dialog/organizer.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { OrganizerAct } from '../domain/account.ts'
import { unreachable } from '../domain/unreachable.ts'
import type { Failure } from '../jobs/call.ts'
import type { Found, readOutcome } from '../jobs/call-table.ts'
import { noticeSwitches } from '../storage/documents/notices.ts'
import { buttons } from '../views/buttons.ts'
import { noticesView } from '../views/organizer-notices.ts'
import { answering } from './answer.ts'
import { cards, showCard } from './card.ts'
import { grouping, groupResults } from './groups.ts'
import { homes } from './home.ts'
import { inviting, takeInvitable } from './invite.ts'
import { askForBoth } from './listings.ts'
import { lists, takeBoth, takePage } from './lists.ts'
import { managing } from './manage.ts'
import { nudging } from './nudge.ts'
import { releasing } from './release.ts'
import { seenIn } from './seen.ts'
import { sendFound, sendingResults } from './send-result.ts'
import { acts, status } from './status.ts'

/**
 * Commands and buttons of organizers. Who is one is looked up again for each update; anybody else gets the answer
 * to an unknown command or an old button.
 */
export function organizer(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  composer
    .filter(({ ctx }) => isOrganizer(ctx))
    .use(
      noteName,
      homes(),
      lists(),
      cards(),
      nudging(),
      grouping(),
      inviting(),
      managing(),
      notices(),
      status(),
      answering(),
    )
    .filter(({ ctx }) => mayDecide(ctx))
    .use(releasing(), sendingResults(), groupResults(), acts())
  return composer
}

/** Notes what an organizer is called in Telegram: the others are told who it was. */
const noteName: Middleware<IncomingContext> = ({ ctx, from }, next) => {
  if (from) ctx.account.calledAs = [from.first_name, from.last_name].filter(Boolean).join(' ')
  return next()
}

/**
 * `/notices`: which notices this organizer gets; and the buttons of the one about an external id that is taken already,
 * which the participant cannot mend: the organizer says whether to go on without one or with another.
 */
function notices(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
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
    // Who is asked for another one may still go on without.
    if (isSettled) await ctx.disarm(tappedMessage(incoming))
    if (isSettled) return settle(ctx, file, [])
    ctx.due = { show: 'aside', aside: { ask: 'external-id', s } }
  })
  return composer
}

/** Takes what the service has answered to an organizer. Former organizers learn nothing of it. */
export async function takeAnswer(
  ctx: UpdateContext,
  act: OrganizerAct,
  came: ReturnType<typeof readOutcome>,
): Promise<void> {
  if (!isOrganizer(ctx)) return
  if (!came.outcome.ok) return sendFailure(ctx, came.outcome)
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
      // What is neither a record nor a roadmap may be somebody's profile.
      return seen ? showCard(ctx, seen, undefined) : askForBoth(ctx, act.token)
    case 'send':
      return sendFound(ctx, found)
    case 'card':
      return seen ? showCard(ctx, seen, act.messageId) : sendText(ctx, 'organizer-unknown')
  }
  unreachable(act)
}

/** Says why the service did not answer; nothing has been changed. */
async function sendFailure(ctx: UpdateContext, { code }: Failure): Promise<void> {
  if (code === 'key_invalid' || code === 'forbidden') return sendText(ctx, 'organizer-key')
  if (code === 'not_found') return sendText(ctx, 'organizer-unknown')
  await sendText(ctx, code === 'bad_request' ? 'organizer-refused' : 'organizer-down')
}
