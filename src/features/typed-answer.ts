import { Composer } from 'grammy'
import type { BotContext } from '../chat/context.ts'
import { allFiles, focusedFile } from '../chat/files.ts'
import { moveSitting, placedQuestions, readSitting } from '../chat/sitting.ts'
import type { Turn } from '../chat/turn.ts'
import { noteTyped } from '../chat/typed.ts'
import { parseTypedOption } from '../domain/persian/option-number.ts'
import type { PlacedQuestion } from '../domain/questionnaire.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import type { Sitting } from '../domain/sitting.ts'
import { isBehindCurtain } from './curtain.ts'
import { showPlace } from './place.ts'
import { showWhereItStands } from './questionnaire.ts'
import { isOnScreen } from './show-question.ts'

type Typed = { text: string; messageId: number; date: number }

/** A typed option, by its label or number, answers the question shown, while the chat is about its questionnaire. */
export function typedAnswers(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.on('message:text', async ({ turn, msg }, next) => {
    const file = await focusedFile(turn)
    // Of somebody else's roadmap only the tests are answered here.
    if (!file || file.owner !== turn.who || !isIn(file, 'questions')) return next()
    await takeTypedAnswer(turn, file, { text: msg.text, messageId: msg.message_id, date: msg.date })
  })
  return composer
}

/**
 * Takes a typed option as the answer to the question shown, if it was written after that question appeared.
 * The next question is sent anew below it.
 */
async function takeTypedAnswer(turn: Turn, file: RecordFile, typed: Typed): Promise<void> {
  if (await isBehindCurtain(turn, file)) return showPlace(turn, file)
  const sitting = await readSitting(turn, file.s)
  const placed = await placedQuestions(turn, file)
  if (!sitting || !placed) return showPlace(turn, file)
  const tapped = await tappedSince(turn, file, sitting)
  if (tapped) {
    turn.account.focus = tapped.s
    return takeTypedAnswer(turn, tapped, typed)
  }
  // In a roadmap the next person on this phone is not to read it.
  if (file.parent) await noteTyped(turn, file, typed.messageId)
  // Recorded already when its screen failed; the update comes again only for that.
  const isRecorded = typed.messageId === sitting.lastMessageId
  const isOpen = !isRecorded && sitting.state === 'open'
  const word = isOpen ? await answer(turn, file, sitting, placed, typed) : undefined
  await showWhereItStands(turn, file, { word, keepsOlder: word === undefined })
}

/** Records an answer to a question, or returns why it is none; the review is no question. */
async function answer(
  turn: Turn,
  file: RecordFile,
  sitting: Sitting,
  placed: readonly PlacedQuestion[],
  { text, messageId, date }: Typed,
): Promise<string | undefined> {
  const { t } = turn
  const { s } = file
  const shown = placed[sitting.view]?.question
  if (!shown) return t('here-review')
  const options = shown.options.length
  const option = parseTypedOption(
    text,
    shown.options.map(({ label }) => label),
  )
  if (option === undefined) return t('here-question', { options })
  // Before anything was shown nothing can be meant for it.
  const screen = turn.account.screens[s] ?? Number.POSITIVE_INFINITY
  // What came before the chat's queue drew the question, by our own clock, was not for it either.
  const { shownAt: drawnAt = 0 } = turn.account
  const { receivedAt = turn.now } = turn
  const isOlder =
    messageId < screen ||
    receivedAt < drawnAt ||
    isReceivedBefore(sitting, receivedAt, turn) ||
    isWrittenBefore(Math.max(drawnAt, sitting.shownAt), { date, receivedAt })
  if (isOlder) return t('answer-too-early')
  if (option >= options) return t('option-out-of-range', { options })
  // A tap names its question, a number does not: it answers what was on the screen.
  if (!(await isOnScreen(turn, file, placed, sitting))) return t('answer-too-early')
  const { sittingCipher } = turn.deps.vault
  const { view: question, revision } = sitting
  await moveSitting(turn, s, sitting, {
    kind: 'answer',
    question,
    revision,
    messageId,
    allowBack: turn.deps.config.allowBack,
    ...sittingCipher.encryptAnswer(sitting, { question, revision, option }),
  })
  return undefined
}

/**
 * Whether it was there before the tap that led to the question. A tap may have been put later than our clock says: then that
 * time has not come yet, and tells nothing.
 */
const isReceivedBefore = ({ shownAt }: Sitting, receivedAt: number, { now }: Turn): boolean =>
  receivedAt <= shownAt && shownAt <= now

/** What takes longer has been brought a second time: taps that were made after it may have come before it. */
const LATE_MS = 2_000

/**
 * Whether what has this date may have been written before then. Telegram dates by the second: of what comes late the
 * second in which it was shown is too early, too.
 */
function isWrittenBefore(
  shownAt: number,
  { date, receivedAt }: Pick<Typed, 'date'> & { receivedAt: number },
): boolean {
  const shown = Math.floor(shownAt / 1_000)
  const isLate = receivedAt - date * 1_000 >= LATE_MS
  return isLate ? date <= shown : date < shown
}

/** Another questionnaire that taps went on with since this one was shown: what is typed now is meant for it. */
async function tappedSince(turn: Turn, file: RecordFile, own: Sitting): Promise<RecordFile | undefined> {
  const { shownAt = 0 } = turn.account
  for (const other of await allFiles(turn)) {
    const sitting =
      isIn(other, 'questions') && other.s !== file.s ? await readSitting(turn, other.s) : undefined
    if (sitting?.state !== 'open' || sitting.lastActivityAt <= shownAt) continue
    if (own.lastActivityAt < sitting.lastActivityAt) return other
  }
  return undefined
}
