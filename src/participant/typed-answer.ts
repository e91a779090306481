import { helpFor } from '../dialog/ask.ts'
import { askedLast, isAskedBelow, namedButton } from '../dialog/asked-last.ts'
import { moveAttempt, placedQuestions, readAttempt } from '../dialog/attempt.ts'
import { expectedNow } from '../dialog/expected.ts'
import { noteTyped } from '../dialog/typed-messages.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isNumber, parseTypedOption } from '../domain/persian/option-number.ts'
import { parseSaying, type Saying, saysSame } from '../domain/persian/saying.ts'
import type { PlacedQuestion } from '../domain/questionnaire.ts'
import { questionsOf, type RecordFile } from '../domain/record/record.ts'
import { isOlderThan } from '../storage/store.ts'
import type { Dated } from '../telegram/sender.ts'
import { buttons } from '../views/buttons.ts'
import { optionsOf, askingView as optionView, placesOf } from '../views/question.ts'
import { paragraphs, type View, withTextAbove } from '../views/view.ts'
import { askInWords } from './ask.ts'
import { isAwaitingHandOver } from './hand-over.ts'
import {
  type MeantQuestion,
  meantQuestion,
  otherRevisions,
  type Typed,
  wasInSight,
} from './meant-question.ts'
import { showPlace } from './place.ts'
import { pause, sendAnswers, showWhereItStands } from './questionnaire.ts'
import { attemptView, leaveOlder, noteShown, type Showing } from './show-question.ts'

/**
 * Takes a typed option, by its label or number, as the answer to the question shown last, or to the one it
 * replies to, if it was written after that question appeared. The next question is sent below it.
 */
export async function takeTypedAnswer(ctx: UpdateContext, focused: RecordFile, typed: Typed): Promise<void> {
  if (await isAwaitingHandOver(ctx, focused)) return showPlace(ctx, focused)
  const meant = await meantQuestion(ctx, focused, typed)
  if (!meant) return showPlace(ctx, focused)
  const { file, attempt } = meant
  ctx.account.focus = file.s
  if (file !== focused && (await isAwaitingHandOver(ctx, file))) return showPlace(ctx, file)
  const placed = await placedQuestions(ctx, file)
  if (!placed) return showPlace(ctx, file)
  // In a roadmap the next person on this phone must not read it.
  if (file.parent) await noteTyped(ctx, file, typed.messageId)
  // The answer is recorded already, but its screen failed; the update comes again only for that.
  const isRecorded = typed.messageId === attempt.lastMessageId
  const isOpen = !isRecorded && attempt.state === 'open'
  const became = isOpen ? await answer(ctx, { ...meant, placed }, typed) : { keepsOlder: true }
  if (became !== 'settled') await showWhereItStands(ctx, file, became)
}

/** Whether a text answers the current question, whatever else it may mean. */
export async function isAnswer(ctx: UpdateContext, text: string): Promise<boolean> {
  const expected = await expectedNow(ctx)
  if (expected.is !== 'answer') return false
  const attempt = await readAttempt(ctx, expected.file.s)
  const placed = attempt && (await placedQuestions(ctx, expected.file))?.[attempt.view]
  return (
    placed !== undefined &&
    parseTypedOption(
      text,
      placed.question.options.map(({ label }) => label),
    ) !== undefined
  )
}

/** The current question, with its whole test. */
type Current = MeantQuestion & { placed: readonly PlacedQuestion[] }

/** Records an answer, asks whether a text is one, or returns why it is none; the review is no question. */
async function answer(ctx: UpdateContext, current: Current, typed: Typed): Promise<Showing | 'settled'> {
  const { t, arrivedAt } = ctx
  const { screens } = ctx.account
  const { file, attempt, placed, showing, isElsewhere } = current
  const none = (word: string): Showing => ({ word, keepsOlder: false })
  const question = placed[attempt.view]?.question
  const noAnswer = (how: string): Showing => {
    return { ...none(paragraphs(helpFor(ctx, typed.text), how)), words: typed.text }
  }
  if (isElsewhere) return noAnswer(t('answer-elsewhere'))
  if (!question) return (await actOn(ctx, current, typed)) ? 'settled' : noAnswer(t('here-review'))
  const confirmed = await confirmedOption(ctx, current, typed)
  if (confirmed === 'no') return { keepsOlder: false }
  if (confirmed !== undefined) return record(ctx, current, confirmed, typed)
  const labels = question.options.map(({ label }) => label)
  const options = placesOf(optionsOf(question))
  const option = parseTypedOption(typed.text, labels)
  if (option === undefined) {
    if (await actOn(ctx, current, typed)) return 'settled'
    return noAnswer(t('here-question', { options }))
  }
  const screen = showing?.messageId ?? screens[file.s]
  const tooEarly = none(t('answer-too-early'))
  // Before anything is shown, no text can answer it.
  if (screen === undefined || typed.messageId < screen) return tooEarly
  screens[file.s] = screen
  const sight = wasInSight(current, typed, arrivedAt)
  if (sight === 'no') return tooEarly
  if (option >= labels.length) return none(t('option-out-of-range', { options }))
  // A tap names its question, a number does not: it answers what is on the screen.
  if (!(await isOnScreen(ctx, current, screen))) return none(t('answer-not-in-sight'))
  // A reply, and words other than a number, a yes and a no, can mean nothing but this question.
  const isOpen = parseSaying(typed.text) !== undefined || isNumber(typed.text)
  const isAlone = isOpen && typed.repliesTo === undefined
  const isElse = isAlone && (await isAskedBelow(ctx, { s: file.s, revision: attempt.revision, screen }))
  const isSure = !isElse && !mayRepeat(ctx, current, option, typed) && (await knowsCurrent(ctx, current))
  if (sight === 'yes' && isSure) return record(ctx, current, option, typed)
  const asking = askingView(ctx, current, option)
  const asked = await findSight(ctx, isSure ? { text: t('one-moment') } : asking, screen)
  if (!asked) return 'settled'
  const { messageId, question: dated } = asked
  const now = wasInSight({ ...current, showing: { messageId: screen, dated } }, typed, undefined)
  if (now === 'no') return { ...tooEarly, messageId }
  if (now === 'yes' && isSure) return { ...(await record(ctx, current, option, typed)), messageId }
  // The message that asks about the option is the screen of the question from now on.
  const { s } = file
  await leaveOlder(ctx, s, { messageId })
  const place = isSure ? await ctx.show(messageId, asking) : messageId
  if (place === undefined) return 'settled'
  screens[s] = place
  const others = await otherRevisions(ctx, s)
  const { revision } = attempt
  await noteShown(ctx, { s, messageId: place, revision, dated: asked.dated, others }, { option })
  return 'settled'
}

/** The option that a yes confirms, or `no`, if the bot's last message asks whether the option is meant. */
async function confirmedOption(ctx: UpdateContext, { file, attempt }: Current, typed: Typed) {
  const screen = ctx.account.screens[file.s] ?? Infinity
  const saying = typed.messageId > screen ? parseSaying(typed.text) : undefined
  if (saying !== 'yes' && saying !== 'no') return undefined
  const asked = await askedLast(ctx, file.s)
  if (asked.is !== 'option' || asked.revision !== attempt.revision) return undefined
  return saying === 'yes' ? asked.option : 'no'
}

/** Buttons whose labels mean the same as other words. */
const BUTTON_SAYINGS: Readonly<Record<string, Saying>> = { pause: 'later', submit: 'send', review: 'review' }

/**
 * Does what a text asks for, by a button's label or in other words; `false` if the newest message of the test
 * has no such button.
 */
async function actOn(ctx: UpdateContext, { file, attempt, placed }: Current, { text, messageId }: Typed) {
  const { account, t } = ctx
  const { view, questions, answered } = attempt
  const { allowBack } = ctx.deps.config
  if (messageId < (account.screens[file.s] ?? Infinity)) return false
  const button = namedButton(attemptView(ctx, file, placed, attempt, undefined), text) ?? ''
  const saying = BUTTON_SAYINGS[button.split(':')[0] ?? ''] ?? parseSaying(text)
  const isBack = saying === 'back' && view > 0 && allowBack
  const [, to = isBack ? view - 1 : undefined] = buttons.go.read(button) ?? []
  const isAsk = saysSame(t.plain('button-ask'), text)
  if (isAsk || buttons.ask.read(button))
    await askInWords(ctx, file, isAsk ? undefined : account.words?.messageId)
  else if (saying === 'later') await pause(ctx, file)
  else if (saying === 'send' && view === questions && file.shownAnswers === attempt.revision)
    await sendAnswers(ctx, file)
  // The numbers below a review are no words.
  else if (to !== undefined && view < questions) {
    await moveAttempt(ctx, file.s, attempt, { kind: 'go', question: to, allowBack })
    await showWhereItStands(ctx, file, { keepsOlder: view < answered })
  } else if (saying === 'review' && answered === questions) {
    const [, page = 0] = buttons.review.read(button) ?? []
    await moveAttempt(ctx, file.s, attempt, { kind: 'go', question: questions, allowBack })
    await showWhereItStands(ctx, file, { page, keepsOlder: false })
  } else return false
  return true
}

/** Whether no later question can be in the chat that a restored older store does not know. */
const knowsCurrent = async ({ deps }: UpdateContext, { file, showing }: Current): Promise<boolean> =>
  showing?.endedAt !== undefined || !(await isOlderThan(deps.store, questionsOf(file)?.life))

/** A question that took so long to be sent was waited for. */
const WAITED_FOR_MS = 500

/**
 * Whether a typed option may be the answer to the question before, once more: on a slow network people type it
 * again, and the second one comes just below the next question.
 */
function mayRepeat({ deps }: UpdateContext, { attempt, showing }: Current, option: number, { date }: Typed) {
  const { begunAt = 0, endedAt = 0, dated } = showing ?? {}
  if (endedAt - begunAt < WAITED_FOR_MS || date > (dated?.date ?? 0) + 1) return false
  return deps.vault.attemptCipher.decryptAnswers(attempt)[attempt.view - 1] === option
}

async function record(ctx: UpdateContext, { file, attempt }: Current, option: number, { messageId }: Typed) {
  const { config, vault } = ctx.deps
  const { view: question, revision } = attempt
  const encrypted = vault.attemptCipher.encryptAnswer(attempt, { question, revision, option })
  const answer = { question, revision, messageId, allowBack: config.allowBack, ...encrypted }
  await moveAttempt(ctx, file.s, attempt, { kind: 'answer', ...answer })
  // A changed answer must not stay readable above.
  return { keepsOlder: question >= attempt.answered }
}

/**
 * Whether the screen shows exactly this view. If this process has not rendered it, only Telegram knows: the
 * store may have been restored, or another replica may have rendered since. Asking Telegram renders it as
 * well.
 */
async function isOnScreen(ctx: UpdateContext, current: Current, messageId: number): Promise<boolean> {
  const { file, placed, attempt } = current
  const { revision } = attempt
  if (ctx.deps.rendered.shows(file.s, { messageId, revision })) return true
  const { said } = ctx.account
  const { option, word } = said?.s === file.s && said.revision === revision ? said : {}
  if (option !== undefined) return ctx.shows(messageId, askingView(ctx, current, option))
  return ctx.shows(messageId, withTextAbove(attemptView(ctx, file, placed, attempt, undefined), word))
}

/**
 * Replies to the question, so that Telegram tells when that was shown; returns both times. `undefined` when
 * the participant has blocked the bot. The reply may go at once, so it asks nothing that may be answered.
 */
async function findSight(ctx: UpdateContext, view: View, replyTo: number) {
  let dated: Dated | undefined
  let question: Dated | undefined
  const messageId = await ctx.send({ ...view, replyTo }, (when, repliedTo) => {
    dated = when
    question = repliedTo
  })
  return messageId === undefined ? undefined : { messageId, dated, question }
}

function askingView({ t }: UpdateContext, { file, attempt, placed }: Current, option: number): View {
  const { view: position, revision } = attempt
  const question = placed[position]?.question
  return question ? optionView(t, { s: file.s, position, revision, question, option }) : { text: '' }
}
