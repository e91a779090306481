import type { Composer, Middleware } from 'grammy'
import type { Message } from 'grammy/types'
import { expectedNow } from '../dialog/expected.ts'
import { settle, waitingFile } from '../dialog/external-id.ts'
import { type IncomingContext, onButton, tappedMessage } from '../dialog/incoming.ts'
import { isOrganizer, mayDecide } from '../dialog/organizer.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { OrganizerAct } from '../domain/account.ts'
import { messageKey, noteUnanswered, postQuestion, unansweredNow } from '../jobs/asked-questions.ts'
import type { Failure, Found, readOutcome } from '../jobs/call-table.ts'
import { askedQuestions, questionMessages } from '../storage/documents/asked-questions.ts'
import { noticeSwitches } from '../storage/documents/notices.ts'
import { dataOf } from '../telegram/tapped.ts'
import { buttons } from '../views/buttons.ts'
import { noticesView } from '../views/organizer-notices.ts'
import { cards, showCard } from './card.ts'
import { grouping } from './groups.ts'
import { homes } from './home.ts'
import { managing } from './invitation.ts'
import { inviting, takeInvitable } from './invite.ts'
import { askForBoth, sendGone } from './kept-listings.ts'
import { lists, takeBoth, takePage } from './lists.ts'
import { nudging } from './nudge.ts'
import { releasing } from './release.ts'
import { seenIn } from './seen.ts'
import { sendFound, sendingResults } from './send-result.ts'
import { acts, status } from './status.ts'

/**
 * Commands and buttons of organizers. Every update checks again who is an organizer. Any other account gets
 * the answer to an unknown command or an old button.
 */
export function organizer(composer: Composer<IncomingContext>): void {
  const own = composer.filter(({ ctx }) => isOrganizer(ctx))
  own.use(noteName)
  const handlers = [homes, lists, cards, nudging, grouping, inviting, managing, notices, status, answering]
  for (const handle of handlers) handle(own)
  const deciding = own.filter(({ ctx }) => mayDecide(ctx))
  for (const handle of [releasing, sendingResults, acts]) handle(deciding)
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
    if (isSettled) ctx.disarm(tappedMessage(incoming))
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
async function sendFailure(ctx: UpdateContext, { act }: OrganizerAct, { code }: Failure): Promise<void> {
  if (code === 'key_invalid' || code === 'forbidden') return sendText(ctx, 'organizer-key')
  // A list may have fewer pages by now.
  if (code === 'not_found') return act === 'page' ? sendGone(ctx) : sendText(ctx, 'organizer-unknown')
  await sendText(ctx, code === 'bad_request' ? 'organizer-refused' : 'organizer-down')
}

/** This many unanswered questions are sent again at once. */
const MOST_AGAIN = 10

/** Answers of organizers: Telegram's reply to the message that contains a question. */
export function answering(composer: Composer<IncomingContext>): void {
  composer.on('message', async (incoming, next) => {
    const { ctx, msg } = incoming
    const { reply_to_message: to, text } = msg
    // A command is a command also as a reply.
    if (!to || text?.startsWith('/')) return next()
    const { account } = ctx
    const key = messageKey(ctx.work, account.chatId, to.message_id)
    const known = await ctx.work.get(questionMessages, key)
    // A process that died right after it sent a question has stored no message: the question's button tells.
    const isOurs = to.from?.id === incoming.me.id
    const id = known?.question ?? (isOurs ? askedBy(to) : undefined)
    if (id !== undefined) return answer(ctx, id, msg)
    // A reply may also be an answer to something that the bot has asked the organizer.
    if (!isOurs || (await expectedNow(ctx)).is !== 'nothing') return next()
    await sendText(ctx, 'reply-no-question')
  })
  onButton(composer, buttons.asked, ({ ctx, toast }, _next, _id) => toast(ctx.t.plain('question-how'), true))
  onButton(composer, buttons.questions, async ({ ctx, msg }) => {
    const open = await unansweredNow(ctx)
    if (open.length === 0) return sendText(ctx, 'questions-none')
    const { chatId } = ctx.account
    const told = { is: 'asked', isRepeated: true } as const
    for (const question of open.slice(0, MOST_AGAIN))
      postQuestion(ctx.work, { question, chatId, told }, msg?.message_id ?? 0)
  })
}

/** The question that a message of the bot contains, according to the button under it. */
export const askedBy = ({ reply_markup }: Pick<Message, 'reply_markup'>): string | undefined =>
  dataOf(reply_markup)
    .map((each) => buttons.asked.read(each)?.[0])
    .find((id) => id !== undefined)

/** Sends an answer to the participant who has asked, and notifies the other organizers. */
async function answer(ctx: UpdateContext, id: string, { text, message_id: of }: Message): Promise<void> {
  const { work, account, deps } = ctx
  const question = await work.get(askedQuestions, id)
  if (!question) return sendText(ctx, 'question-gone')
  if (text === undefined) return sendText(ctx, 'reply-only-text')
  question.answeredBy = account.chatId
  await noteUnanswered(work, id, undefined)
  postQuestion(work, { question: id, chatId: question.chatId, told: { is: 'answer', text } }, of)
  const told = { is: 'answered', by: account.calledAs ?? String(account.chatId), text } as const
  for (const chatId of deps.config.organizers)
    if (chatId !== account.chatId) postQuestion(work, { question: id, chatId, told }, of)
  await sendText(ctx, 'answer-sent')
}
