import { onBehalf } from '../chat/call.ts'
import { visibleFile } from '../chat/files.ts'
import { moveSitting, placedQuestions, readSitting, seal } from '../chat/sitting.ts'
import type { Turn } from '../chat/turn.ts'
import type { Account } from '../domain/account.ts'
import { DAY_MS } from '../domain/durations.ts'
import type { PlacedQuestion } from '../domain/questionnaire.ts'
import { isIn, questionsOf, type RecordFile } from '../domain/record/record.ts'
import { justChanged, type Sitting } from '../domain/sitting.ts'
import { SCREEN_LOOK_MS, screenJob } from '../jobs/watch-screen.ts'
import { recordFiles } from '../kept/documents.ts'
import { touchQuestions } from '../kept/questions.ts'
import { KEPT_ANEW_DAYS } from '../kept/retention.ts'
import { postEvent } from '../mail/chat-message.ts'
import type { Dated, OnDated } from '../telegram/sender.ts'
import { askingView as optionView } from '../views/asking.ts'
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
): Promise<'shown' | 'expired' | 'unread'> {
  const note = turn.deps.drawn.begin(file.s, turn)
  const others = await otherRevisions(turn, file.s)
  let sitting = await readSitting(turn, file.s)
  const placed = await placedQuestions(turn, file)
  // Kept no longer than RETENTION_DAYS without activity.
  if (!sitting) return 'expired'
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
  let dated: Dated | undefined
  const shown = await showOnScreen(turn, file.s, withWord(view, word), {
    messageId: isPictured ? undefined : messageId,
    olderGoes: keepsOlder === undefined ? !isHere : !keepsOlder,
    onDated(when) {
      dated = when
    },
  })
  const { revision } = sitting
  if (shown !== undefined) {
    note({ messageId: shown, revision }, dated)
    noteShown(turn, { s: file.s, messageId: shown, revision, dated, others })
  }
  delete turn.account.said
  if (word !== undefined) turn.account.said = { s: file.s, revision, word }
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
  const view =
    isSaid && said.option !== undefined
      ? askingView(turn, file, placed, sitting, said.option)
      : withWord(sittingView(turn, file, placed, sitting, undefined), isSaid ? said.word : undefined)
  return turn.shows(messageId, view)
}

/** What asks about a typed option, when it stands there, and when the question did that it answers. */
export type Asked = { messageId: number; dated: Dated | undefined; question: Dated | undefined }

/**
 * Asks whether a typed option is meant for the question shown. It answers the question's own message, so that Telegram tells
 * when that was shown. `undefined` when the participant has blocked the bot.
 */
export async function askAboutOption(
  turn: Turn,
  file: RecordFile,
  placed: readonly PlacedQuestion[],
  sitting: Sitting,
  option: number,
): Promise<Asked | undefined> {
  let dated: Dated | undefined
  let question: Dated | undefined
  const replyTo = turn.account.screens[file.s]
  const view = {
    ...askingView(turn, file, placed, sitting, option),
    ...(replyTo !== undefined && { replyTo }),
  }
  const messageId = await turn.say(view, (when, repliedTo) => {
    dated = when
    question = repliedTo
  })
  return messageId === undefined ? undefined : { messageId, dated, question }
}

/** What asks about a typed option is the question's message from now on. */
export async function leaveAsking(
  turn: Turn,
  { s }: RecordFile,
  { revision }: Sitting,
  { messageId, dated, option }: Asked & { option: number },
): Promise<void> {
  const { account } = turn
  const older = account.screens[s]
  if (older !== undefined) await turn.takeAway(older)
  account.screens[s] = messageId
  noteShown(turn, { s, messageId, revision, dated, others: await otherRevisions(turn, s) })
  account.said = { s, revision, option }
  await watchScreen(turn, s)
}

/** Where the chat has shown a question last; what stood there already stands there since it was shown. */
function noteShown({ account }: Turn, shown: NonNullable<Account['shown']>): void {
  const { s, revision, messageId } = shown
  const before = account.shown
  const stood = before?.s === s && before.revision === revision && before.messageId === messageId
  account.shown = { ...shown, dated: shown.dated ?? (stood ? before.dated : undefined) }
}

/** The revisions of the other questionnaires on screens of this chat. */
async function otherRevisions(turn: Turn, s: string): Promise<Record<string, number>> {
  const others = (await testsOnScreens(turn)).filter(({ file }) => file.s !== s)
  return Object.fromEntries(others.map(({ file, sitting }) => [file.s, sitting.revision]))
}

/** The questionnaires of this account that have a message in this chat. */
export async function testsOnScreens(turn: Turn): Promise<{ file: RecordFile; sitting: Sitting }[]> {
  const tests: { file: RecordFile; sitting: Sitting }[] = []
  for (const s of Object.keys(turn.account.screens)) {
    const file = await visibleFile(turn, s)
    if (!file || file.owner !== turn.who || !isIn(file, 'questions')) continue
    const sitting = await readSitting(turn, s)
    if (sitting) tests.push({ file, sitting })
  }
  return tests
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
  {
    messageId,
    olderGoes = false,
    onDated,
  }: { messageId?: number | undefined; olderGoes?: boolean; onDated?: OnDated } = {},
): Promise<number | undefined> {
  const { screens } = turn.account
  const older = screens[s]
  if (older !== undefined && older !== messageId) {
    const isShared = (await turn.work.get(recordFiles, s))?.parent !== undefined
    await (olderGoes || isShared ? turn.takeAway(older) : turn.disarm(older))
  }
  const shown = await turn.show(messageId, view, onDated)
  if (shown !== undefined) screens[s] = shown
  return shown
}

function askingView(
  { t }: Turn,
  { s }: RecordFile,
  placed: readonly PlacedQuestion[],
  { view: position, revision }: Sitting,
  option: number,
): View {
  const { text = '', options = [] } = placed[position]?.question ?? {}
  return optionView(t, { s, position, revision, text, option, label: options[option]?.label ?? '' })
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
