import { onBehalf } from '../chat/call.ts'
import { hasSitting, moveSitting, placedQuestions, readSitting, seal } from '../chat/sitting.ts'
import type { Turn } from '../chat/turn.ts'
import { DAY_MS } from '../domain/durations.ts'
import type { PlacedQuestion } from '../domain/questionnaire.ts'
import { questionsOf, type RecordFile } from '../domain/record/record.ts'
import { justChanged, type Sitting } from '../domain/sitting.ts'
import { SCREEN_LOOK_MS, screenJob } from '../jobs/watch-screen.ts'
import { recordFiles } from '../kept/documents.ts'
import { touchQuestions } from '../kept/questions.ts'
import { KEPT_ANEW_DAYS } from '../kept/retention.ts'
import { postEvent } from '../mail/chat-message.ts'
import { questionView } from '../views/question.ts'
import { completeView, reviewPageOf, reviewView } from '../views/review.ts'
import { type View, withWord } from '../views/view.ts'
import { watchExpiry } from './deliver.ts'
import { showPictures } from './question-pictures.ts'

export type Showing = {
  messageId?: number | undefined
  /** Of the review. */
  page?: number | undefined
  /** What is said of the last message, in the message of the question itself. */
  word?: string | undefined
  /** What stands in an older message is another question, which was answered: it stays to be read. */
  keepsOlder?: boolean
}

/**
 * Shows where a sitting stands: its question, or that all are answered, or the page of the review that was asked for.
 * In place of a message, or anew; a paused sitting goes on.
 */
export async function showSitting(
  turn: Turn,
  file: RecordFile,
  { messageId, page, word, keepsOlder }: Showing = {},
): Promise<'shown' | 'expired' | 'of another' | 'unread'> {
  const note = turn.deps.drawn.begin(file.s, turn)
  let sitting = await readSitting(turn, file.s)
  const placed = await placedQuestions(turn, file)
  // Kept no longer than RETENTION_DAYS without activity.
  if (!sitting) return (await hasSitting(turn, file.s)) ? 'of another' : 'expired'
  // The questions alone can be had again.
  if (!placed) return 'unread'
  if (sitting.state === 'paused') {
    await moveSitting(turn, file.s, sitting, { kind: 'resume' })
    sitting = (await readSitting(turn, file.s)) ?? sitting
  }
  const view = sittingView(turn, file, placed, sitting, page)
  await keepAnew(turn, file)
  if (sitting.answered === sitting.questions) {
    await seal(turn, file.s, sitting)
    file.shownAnswers = sitting.revision
    await watchExpiry(turn, file.s)
  }
  const isPictured = await showPictures(turn, file.s, placed[sitting.view], sitting.view)
  // What stands above its pictures is said anew below them.
  const isHere = messageId !== undefined
  const shown = await showOnScreen(turn, file.s, withWord(view, word), {
    messageId: isPictured ? undefined : messageId,
    olderGoes: !isHere && !keepsOlder,
  })
  if (shown !== undefined) note({ messageId: shown, revision: sitting.revision })
  turn.account.shownAt = turn.now
  delete turn.account.said
  if (word !== undefined) turn.account.said = { s: file.s, revision: sitting.revision, word }
  await watchScreen(turn, file.s)
  return 'shown'
}

/**
 * Whether the screen has shown exactly what stands. Where this process has not drawn it, only Telegram knows: the store may
 * have been put back, or another replica may have drawn since. What did not stand there does now.
 */
export async function isOnScreen(
  turn: Turn,
  file: RecordFile,
  placed: readonly PlacedQuestion[],
  sitting: Sitting,
): Promise<boolean> {
  const { screens, said } = turn.account
  const messageId = screens[file.s]
  if (messageId === undefined) return false
  if (turn.deps.drawn.shows(file.s, { messageId, revision: sitting.revision })) return true
  const isSaid = said?.s === file.s && said.revision === sitting.revision
  const view = sittingView(turn, file, placed, sitting, undefined)
  return turn.shows(messageId, withWord(view, isSaid ? said.word : undefined))
}

/** Has a new sitting shown as soon as it is kept: a tap that came before would find none. */
export function showSittingNext({ work, who, account }: Turn, s: string): void {
  postEvent(work, { who, chatId: account.chatId }, s, { kind: 'redraw' })
}

/** Has the question shown again if an outage swallows taps. */
async function watchScreen(turn: Turn, s: string): Promise<void> {
  const dueAt = turn.now + SCREEN_LOOK_MS
  screenJob.post(turn.work, s, { s, onBehalf: await onBehalf(turn), dueAt }, { dueAt, replace: true })
}

/** Begins the term of a record and its questions anew: answers come without touching either. */
async function keepAnew({ now, work, deps }: Turn, file: RecordFile): Promise<void> {
  if (now - (file.keptAt ?? 0) < KEPT_ANEW_DAYS * DAY_MS) return
  const content = questionsOf(file)?.content
  if (content !== undefined) await touchQuestions(work, deps.vault, content)
  file.keptAt = now
}

/**
 * Puts a view of the questionnaire in its message, or sends it anew and takes the buttons off the older one. What
 * would stand twice goes; in a roadmap, where several people may share the phone, so does what may show answers. Returns the
 * message that shows it; `undefined` when the participant has blocked the bot.
 */
export async function showOnScreen(
  turn: Turn,
  s: string,
  view: View,
  { messageId, olderGoes = false }: { messageId?: number | undefined; olderGoes?: boolean } = {},
): Promise<number | undefined> {
  const { screens } = turn.account
  const older = screens[s]
  if (older !== undefined && older !== messageId) {
    const isShared = (await turn.work.get(recordFiles, s))?.parent !== undefined
    await (olderGoes || isShared ? turn.takeAway(older) : turn.disarm(older))
  }
  const shown = await turn.show(messageId, view)
  if (shown !== undefined) screens[s] = shown
  return shown
}

function sittingView(
  turn: Turn,
  { s, test }: RecordFile,
  placed: readonly PlacedQuestion[],
  sitting: Sitting,
  asked: number | undefined,
): View {
  const { allowBack } = turn.deps.config
  const answers = turn.deps.vault.sittingCipher.decryptAnswers(sitting)
  const question = placed[sitting.view]
  const pageOf = (position: number) => reviewPageOf(turn.t, { placed, answers }, position)
  if (!question) {
    // A changed answer leads back to where one came from: only the review leads to an answered one.
    const changed = justChanged(sitting)
    const page = asked ?? (changed === undefined ? undefined : pageOf(changed))
    if (page === undefined) return completeView(turn.t, { s, total: sitting.questions })
    return reviewView(turn.t, { s, placed, answers, page, allowBack })
  }
  return questionView(turn.t, {
    s,
    placed: question,
    position: sitting.view,
    total: sitting.questions,
    revision: sitting.revision,
    answered: sitting.answered,
    recommendedMinutes: test.minutes,
    allowBack,
    chosen: answers[sitting.view],
    ...(sitting.answered === sitting.questions && { reviewPage: pageOf(sitting.view) }),
  })
}
