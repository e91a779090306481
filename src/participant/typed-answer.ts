import { moveAttempt, placedQuestions } from '../dialog/attempt.ts'
import { noteTyped } from '../dialog/typed.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { parseTypedOption } from '../domain/persian/option-number.ts'
import type { PlacedQuestion } from '../domain/questionnaire.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { isAwaitingHandOver } from './hand-over.ts'
import { type NewestQuestion, newestQuestion, type Typed, wasInSight } from './newest-question.ts'
import { askAboutOption, isOnScreen, leaveAsking } from './on-screen.ts'
import { showPlace } from './place.ts'
import { showWhereItStands } from './questionnaire.ts'
import type { Showing } from './show-question.ts'

/**
 * Takes a typed option, by its label or number, as the answer to the question that was shown last, if it was written after that question appeared.
 * The next question is sent anew below it.
 */
export async function takeTypedAnswer(ctx: UpdateContext, focused: RecordFile, typed: Typed): Promise<void> {
  if (await isAwaitingHandOver(ctx, focused)) return showPlace(ctx, focused)
  const newest = await newestQuestion(ctx, focused, typed)
  if (!newest) return showPlace(ctx, focused)
  const { file, attempt } = newest
  ctx.account.focus = file.s
  if (file !== focused && (await isAwaitingHandOver(ctx, file))) return showPlace(ctx, file)
  const placed = await placedQuestions(ctx, file)
  if (!placed) return showPlace(ctx, file)
  // In a roadmap the next person on this phone is not to read it.
  if (file.parent) await noteTyped(ctx, file, typed.messageId)
  // Recorded already when its screen failed; the update comes again only for that.
  const isRecorded = typed.messageId === attempt.lastMessageId
  const isOpen = !isRecorded && attempt.state === 'open'
  const became = isOpen ? await answer(ctx, newest, placed, typed) : { keepsOlder: true }
  if (became !== 'asked') await showWhereItStands(ctx, file, became)
}

/** Records an answer to a question, asks whether it is one, or returns why it is none; the review is no question. */
async function answer(
  ctx: UpdateContext,
  newest: NewestQuestion,
  placed: readonly PlacedQuestion[],
  typed: Typed,
): Promise<Showing | 'asked'> {
  const { t, arrivedAt } = ctx
  const { screens } = ctx.account
  const { file, attempt, showing } = newest
  const none = (word: string): Showing => ({ word, keepsOlder: false })
  const shown = placed[attempt.view]?.question
  if (!shown) return none(t('here-review'))
  const labels = shown.options.map(({ label }) => label)
  const options = labels.length
  const option = parseTypedOption(typed.text, labels)
  if (option === undefined) return none(t('here-question', { options }))
  const screen = showing?.messageId ?? screens[file.s]
  const tooEarly = none(t('answer-too-early'))
  // Before anything was shown nothing can be meant for it.
  if (screen === undefined || typed.messageId < screen) return tooEarly
  screens[file.s] = screen
  const sight = wasInSight(newest, typed, arrivedAt)
  if (sight === 'no') return tooEarly
  if (option >= options) return none(t('option-out-of-range', { options }))
  // A tap names its question, a number does not: it answers what was on the screen.
  if (!(await isOnScreen(ctx, file, placed, attempt))) return tooEarly
  if (sight === 'yes') {
    await record(ctx, newest, option, typed)
    return { keepsOlder: true }
  }
  const asked = await askAboutOption(ctx, file, placed, attempt, option)
  if (!asked) return 'asked'
  const { messageId, question: dated } = asked
  const now = wasInSight({ ...newest, showing: { messageId: screen, dated } }, typed, undefined)
  if (now === 'no') return { ...tooEarly, messageId }
  if (now === 'yes') {
    await record(ctx, newest, option, typed)
    return { keepsOlder: true, messageId }
  }
  await leaveAsking(ctx, file, attempt, { ...asked, option })
  return 'asked'
}

async function record(
  ctx: UpdateContext,
  { file: { s }, attempt }: NewestQuestion,
  option: number,
  { messageId }: Typed,
): Promise<void> {
  const { attemptCipher } = ctx.deps.vault
  const { view: question, revision } = attempt
  await moveAttempt(ctx, s, attempt, {
    kind: 'answer',
    question,
    revision,
    messageId,
    allowBack: ctx.deps.config.allowBack,
    ...attemptCipher.encryptAnswer(attempt, { question, revision, option }),
  })
}
