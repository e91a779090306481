import type { Composer, Middleware } from 'grammy'
import { awaitsBeginning, openedAssignment } from '../dialog/access.ts'
import { helpFor } from '../dialog/ask.ts'
import { askedLast } from '../dialog/asked-last.ts'
import { readAttempt } from '../dialog/attempt.ts'
import type { Dialog } from '../dialog/dialog.ts'
import {
  asideOf,
  askedNow,
  type Expected,
  expectedNow,
  isOfAnother,
  leaveAside,
  stepNow,
} from '../dialog/expected.ts'
import { focusedFile, unfinishedFile } from '../dialog/files.ts'
import { type IncomingContext, type IncomingMessage, isOnAsked } from '../dialog/incoming.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import { sendOneMoment, sendText } from '../dialog/send.ts'
import { noteTyped } from '../dialog/typed-messages.ts'
import { leadTo, type UpdateContext } from '../dialog/update-context.ts'
import { findInvitation, type Invitation } from '../domain/invitation.ts'
import { readLine } from '../domain/invitation-lines.ts'
import { isBareCode } from '../domain/persian/code.ts'
import { parseSaying } from '../domain/persian/saying.ts'
import { wishOf } from '../domain/persian/wishes.ts'
import { isIn } from '../domain/record/record.ts'
import { askedBy } from '../organizer/answer-questions.ts'
import { search } from '../organizer/lists.ts'
import { invitations } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/kinds.ts'
import { DIALOG_BUTTON } from '../views/buttons.ts'
import { paragraphs } from '../views/view.ts'
import { askTyped } from './ask.ts'
import { saidToForget } from './forget.ts'
import { sendWayOn } from './here.ts'
import { refusedAnswer, repliedTest } from './meant-question.ts'
import { open } from './open-invitation.ts'
import { showPlace } from './place.ts'
import { releasedWord } from './released.ts'
import { beginHere, showResults, startAlone } from './start.ts'
import { isAnswer, takeTypedAnswer } from './typed-answer.ts'
import { unexpected, unknownCommand } from './unexpected.ts'

/** A few sentences do what a command does, unless they are an option of the current question. */
export const readWishes: Middleware<IncomingContext> = async ({ ctx, message }, next) => {
  // A phone may begin a command with a capital.
  if (message?.text) message.text = message.text.replace(/^\/\w+/, (command) => command.toLowerCase())
  const said = message?.text ?? ''
  const isLater = parseSaying(said) === 'later' && (await expectedNow(ctx)).is === 'detail'
  // A reply to a participant's question goes to that participant.
  const isToThem = askedBy(message?.reply_to_message ?? {}) !== undefined
  const wish = isToThem ? undefined : isLater ? '/cancel' : wishOf(said)
  if (message && wish && !(await isAnswer(ctx, message.text ?? ''))) {
    message.text = wish
    message.entities = [{ type: 'bot_command', offset: 0, length: wish.length }]
  }
  await next()
}

/** The message of the bot that this message replies to. */
function repliedTo({ msg: { reply_to_message: to }, me }: IncomingMessage): number | undefined {
  return to?.from?.id === me.id ? to.message_id : undefined
}

/** What a chat expects next. A reply to a question of an open test answers that, whatever is expected. */
async function awaited(incoming: IncomingMessage): Promise<Expected> {
  const { ctx, msg } = incoming
  const isGiven = msg.contact !== undefined || isBareCode(msg.text ?? '')
  const asked = isGiven && asideOf(ctx.account) === 'question' ? await askedNow(ctx) : undefined
  // A late SMS code and a shared mobile are not for the organizers to read.
  if (asked?.is === 'detail' && (msg.contact || isIn(asked.file, 'code'))) delete ctx.account.aside
  if (msg.text !== undefined && (await answersAbove(incoming))) leaveAside(ctx)
  const expected = await expectedNow(ctx)
  const repliesTo = expected.is === 'nothing' || expected.is === 'detail' ? repliedTo(incoming) : undefined
  const file = repliesTo === undefined ? undefined : await repliedTest(ctx, repliesTo)
  return file ? { is: 'answer', file } : expected
}

/** Whether a text replies to a test's question or one for a detail, above the question beside the dialog. */
async function answersAbove(incoming: IncomingMessage): Promise<boolean> {
  const { ctx } = incoming
  const repliesTo = repliedTo(incoming)
  if (repliesTo === undefined || asideOf(ctx.account) === undefined) return false
  const isDetail = ctx.account.detail?.messageId === repliesTo
  return isDetail || (await repliedTest(ctx, repliesTo)) !== undefined
}

/** A reply to a message that asks nothing is no detail, and its yes is no answer to the current question. */
function isSaidElsewhere(incoming: IncomingMessage, expected: Expected): boolean {
  const { text } = incoming.msg
  const { asked, detail } = incoming.ctx.account
  const to = repliedTo(incoming)
  // A shared contact always replies to the message that brought the keyboard.
  if (text === undefined || to === undefined || to === asked) return false
  // A message above has asked for another field, or about another person.
  const isAbove = expected.is === 'detail' && detail?.s === expected.file.s && to < detail.messageId
  if (expected.is === 'detail')
    return !expected.isCall && (isAbove || expected.file.typed?.includes(to) !== true)
  return expected.is === 'nothing' && ['yes', 'go'].includes(parseSaying(text) ?? '')
}

/** Hands a message or a tap that no command has taken to the part that expects it. */
export function typed(composer: Composer<IncomingContext>, { take }: Dialog): void {
  composer.on('message', async (incoming) => {
    const { ctx, msg } = incoming
    const expected = await awaited(incoming)
    const invitation = await opens(ctx, msg.text ?? '', expected)
    if (invitation) {
      delete ctx.account.aside
      return open(ctx, invitation)
    }
    if (msg.text?.startsWith('/')) return sendWayOn(ctx, unknownCommand(ctx, msg.text))
    if (msg.forward_origin && (await isOwnWords(ctx, expected))) {
      if (expected.is === 'detail') await noteTyped(ctx, expected.file, msg.message_id)
      return sendWayOn(ctx, ctx.t('forwarded'))
    }
    if (isSaidElsewhere(incoming, expected)) {
      if (expected.is !== 'detail') return unexpected(incoming)
      await noteTyped(ctx, expected.file, msg.message_id)
      return askAgain(incoming, expected, paragraphs(helpFor(ctx, msg.text ?? ''), ctx.t('answer-elsewhere')))
    }
    if (expected.is !== 'answer' && (await saidToForget(ctx, msg.text ?? ''))) return
    if (await answeredSaying(ctx, msg.text ?? '', expected)) return
    if (await askTyped(ctx, expected, msg.text ?? '')) return
    const help = expected.is === 'detail' ? helpFor(ctx, msg.text ?? '') : undefined
    if (help !== undefined && expected.is === 'detail')
      return askAgain(incoming, expected, paragraphs(help, ctx.t('you-are-here')))
    if (expected.is === 'question' && msg.text === undefined) return sendText(ctx, 'ask-only-text')
    if (await isSearch(incoming, expected)) return search(ctx, msg.text ?? '')
    await takeTyped(incoming, expected, take)
  })
  composer.callbackQuery(DIALOG_BUTTON, async (incoming, next) => {
    const asked = await askedNow(incoming.ctx)
    // These buttons carry no record id, so they count only on the message that asked last.
    if (asked.is !== 'detail' || !isOnAsked(incoming)) return next()
    if (asked.isCall) return incoming.toast(incoming.ctx.t.plain('one-moment'), true)
    await take(incoming, { show: 'question', file: asked.file })
  })
  composer.on('callback_query', async (incoming) => {
    const { ctx, callbackQuery } = incoming
    // A tap that comes with a release. Its chat gets a message from the release itself.
    const released = await releasedWord(ctx, callbackQuery.data ?? '')
    if (released !== undefined) return incoming.toast(released, true)
    const refused = await refusedAnswer(ctx, callbackQuery.data ?? '')
    await incoming.toast(ctx.t.plain(refused ?? 'button-old'), refused !== undefined)
    // Telegram may deliver a counted answer again after the end: that needs no message.
    if (refused === 'toast-already-sent') return
    const file = await focusedFile(ctx)
    const { asked, latest } = ctx.account
    const tapped = callbackQuery.message?.message_id ?? 0
    const isLast = asked !== undefined && asked === latest && tapped < asked
    // The current question is the last message, with its own buttons.
    if (isLast) return
    // A question or a board comes again below; any other place needs a button.
    const moves = file && isIn(file, 'profile', 'code', 'questions', 'board', 'failed', 'generating')
    if (file && moves && !openedAssignment(ctx, file)) return leadTo(ctx, file)
    const isOpen = file !== undefined || (await unfinishedFile(ctx)) !== undefined
    const old = ctx.t('button-old')
    const closed = isOrganizer(ctx) ? paragraphs(old, ctx.t('home-ways')) : ctx.t('invitation-closed')
    await sendWayOn(ctx, isOpen ? old : closed)
  })
  composer.on('edited_message', async ({ ctx }) => {
    await sendWayOn(ctx, ctx.t('edited-message'))
  })
}

/**
 * What a text opens. A payload among lines is one of them; if an answer is expected, twelve letters that are
 * no stored code are an answer («mohammadreza»).
 */
async function opens(ctx: UpdateContext, text: string, { is }: Expected): Promise<Invitation | undefined> {
  const isLine = text.trim().includes('\n') || 'line' in readLine(text)
  const found = is === 'lines' && isLine ? undefined : findInvitation(text)
  // What an organizer searches for may have twelve letters, too.
  const isAwaited = is === 'nothing' && !isOrganizer(ctx)
  if (isAwaited || found?.kind !== 'code' || !found.isBare) return found
  return (await ctx.work.get(invitations, codeKey(ctx.work.vault, found.code))) && found
}

/** Whether a text is an organizer's search: no dialog waits for it, or their own test is paused. */
async function isSearch({ ctx, msg }: IncomingMessage, expected: Expected): Promise<boolean> {
  if (!isOrganizer(ctx) || !msg.text?.trim()) return false
  if (expected.is !== 'answer') return expected.is === 'nothing'
  return (await readAttempt(ctx, expected.file.s))?.state === 'paused'
}

/** Hands a message to what expects it, if its contents fit. A question beside the dialog refuses others itself. */
async function takeTyped(incoming: IncomingMessage, expected: Expected, take: Dialog['take']): Promise<void> {
  const { ctx, msg } = incoming
  const { text, message_id: messageId, date } = msg
  const isSaid = text !== undefined || msg.contact !== undefined
  switch (expected.is) {
    case 'lines':
    case 'external-id':
    case 'group':
    case 'known-mobile':
    case 'question':
      return take(incoming, { show: 'aside' })
    case 'outcome':
      if (!isSaid) return unexpected(incoming)
      expected.typed.push(messageId)
      ctx.deleteMessages([messageId])
      return sendOneMoment(ctx)
    case 'detail':
      if (!isSaid) return unexpected(incoming)
      await noteTyped(ctx, expected.file, messageId)
      return takeDetail(incoming, expected, take)
    case 'answer':
      if (text === undefined) return unexpected(incoming)
      return takeTypedAnswer(ctx, expected.file, { text, messageId, date, repliesTo: repliedTo(incoming) })
    case 'nothing':
      return unexpected(incoming)
  }
  expected satisfies never
}

type Detail = Extract<Expected, { is: 'detail' }>

/** Asks for the detail again, after a notice about the text, which can be sent to the organizers. */
function askAgain({ ctx, msg }: IncomingMessage, { file }: Pick<Detail, 'file'>, word: string): void {
  ctx.due = { show: 'question', file, word, words: msg.text }
}

async function takeDetail(incoming: IncomingMessage, { file, isCall }: Detail, take: Dialog['take']) {
  const { ctx, msg } = incoming
  // The pending call has the confirmed details.
  if (isCall) return isIn(file, 'profile') ? leadTo(ctx, file) : sendOneMoment(ctx)
  if (await isOfAnother(ctx, file, msg.message_id))
    return askAgain(incoming, { file }, ctx.t('answer-too-early'))
  if (msg.contact) {
    const step = await stepNow(ctx, file)
    if (step !== 'mobile' && step !== 'summary') return unexpected(incoming)
  }
  await take(incoming, { show: 'question', file })
}

/**
 * A greeting or a question for the result is no name, and is answered if nothing is expected; a yes to the
 * introduction begins the record.
 */
async function answeredSaying(ctx: UpdateContext, text: string, expected: Expected): Promise<boolean> {
  const isName = expected.is === 'detail' && (await stepNow(ctx, expected.file)) === 'name'
  const saying = isName || expected.is === 'nothing' ? parseSaying(text) : undefined
  if (!saying) return false
  const file = await focusedFile(ctx)
  if (saying === 'result') await showResults(ctx)
  else if (saying === 'greeting' && file) await sendWayOn(ctx, ctx.t('greeting'))
  else if (!isName && (saying === 'yes' || saying === 'go') && file && awaitsBeginning(ctx, file)) {
    const { is } = await askedLast(ctx, file.s)
    await (is === 'begin' ? beginHere(ctx, file.s, ctx.account.asked) : showPlace(ctx, file))
  } else if (!isName && (saying === 'greeting' || saying === 'go') && !file) await startAlone(ctx)
  else return false
  return true
}

/** Whether forwarded words do not count: a name or an answer must be the participant's own. */
const isOwnWords = async (ctx: UpdateContext, expected: Expected): Promise<boolean> =>
  expected.is === 'answer' || (expected.is === 'detail' && (await stepNow(ctx, expected.file)) === 'name')
