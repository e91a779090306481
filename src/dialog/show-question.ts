import { randomBytes } from 'node:crypto'
import { screenActor } from '../background/actors.ts'
import { questionnaires, recordFiles, sittingKey } from '../background/kinds.ts'
import { postEvent } from '../background/post-event.ts'
import { SCREEN_LOOK_MS, type ScreenJob } from '../background/watch-screen.ts'
import { DAY_MS } from '../domain/durations.ts'
import { inOrder, type PlacedQuestion } from '../domain/questionnaire.ts'
import type { RecordFile } from '../domain/record-file.ts'
import {
  newSitting,
  openSitting,
  type Sitting,
  type SittingMove,
  type SittingReply,
} from '../domain/sitting.ts'
import type { Vault } from '../store/vault.ts'
import { questionView } from '../views/question.ts'
import { reviewView } from '../views/review.ts'
import type { View } from '../views/view.ts'
import { onBehalf } from './call.ts'
import { keepAnew, watchExpiry } from './keep.ts'
import type { Turn } from './turn.ts'

/** Begins a sitting at its first question. */
export function beginSitting(turn: Turn, file: RecordFile, content: { hash: string; count: number }): void {
  const { vault, config } = turn.deps
  const id = randomBytes(8)
  const sitting = newSitting({
    owner: ownerOf(vault, turn.who, id),
    id,
    contentHash: Buffer.from(content.hash, 'hex'),
    questions: content.count,
    language: turn.language,
    dataKey: vault.dataKey,
    retentionSeconds: config.retentionDays * 86_400,
    at: turn.now,
  })
  turn.work.putBytes(sittingKey(file.s), sitting, turn.now + config.retentionDays * DAY_MS)
}

/**
 * Who may move a sitting: the account and this very sitting, so that a button of one that was started over, or a
 * process that remembers the older one, moves nothing.
 */
export const ownerOf = (vault: Vault, who: string, sittingId: Buffer): Buffer =>
  vault.owner8(`${who}:${sittingId.toString('hex')}`)

type MoveOfKind<M> = M extends SittingMove ? Omit<M, 'owner' | 'at'> : never

/** Moves a sitting that was just read. */
export function moveSitting(
  turn: Turn,
  s: string,
  { id }: Sitting,
  move: MoveOfKind<SittingMove>,
): Promise<SittingReply> {
  const { store, vault } = turn.deps
  const full = { ...move, owner: ownerOf(vault, turn.who, id), at: turn.deps.now() } as SittingMove
  return store.answer(sittingKey(s), full)
}

export async function readSitting(turn: Turn, s: string): Promise<Sitting | undefined> {
  const [entry] = await turn.deps.store.read([sittingKey(s)])
  return entry && openSitting(entry.value)
}

export async function placedQuestions(turn: Turn, file: RecordFile): Promise<PlacedQuestion[] | undefined> {
  const content = file.questions?.content
  const questionnaire = content === undefined ? undefined : await turn.work.get(questionnaires, content)
  return questionnaire && inOrder(questionnaire)
}

/**
 * Shows where a sitting stands: its question, or the review when all are answered. In place of a message, or anew;
 * a paused sitting goes on.
 */
export async function showSitting(
  turn: Turn,
  file: RecordFile,
  { messageId, page = 0 }: { messageId?: number | undefined; page?: number } = {},
): Promise<'shown' | 'expired'> {
  let sitting = await readSitting(turn, file.s)
  const placed = await placedQuestions(turn, file)
  // Kept no longer than RETENTION_DAYS without activity.
  if (!sitting || !placed) return 'expired'
  if (sitting.state === 'paused') {
    await moveSitting(turn, file.s, sitting, { kind: 'resume' })
    sitting = (await readSitting(turn, file.s)) ?? sitting
  }
  const view = sittingView(turn, file, placed, sitting, page)
  await keepAnew(turn, file)
  if (sitting.answered === sitting.questions) {
    await seal(turn, file.s, sitting)
    await watchExpiry(turn, file)
  }
  await showOnScreen(turn, file.s, view, messageId)
  turn.account.shownAt = turn.now
  await watchScreen(turn, file.s)
  return 'shown'
}

/** Has a new sitting shown as soon as it is kept: a tap that came before would find none. */
export function showSittingNext({ work, who, account }: Turn, s: string): void {
  postEvent(work, { who, chatId: account.chatId }, s, { kind: 'redraw' })
}

/** Has the question shown again if an outage swallows taps. */
async function watchScreen(turn: Turn, s: string): Promise<void> {
  const dueAt = turn.now + SCREEN_LOOK_MS
  const job: ScreenJob = { s, onBehalf: await onBehalf(turn), dueAt }
  turn.work.post(screenActor(s), job, { dueAt, replace: true })
}

/**
 * Puts a view of the questionnaire in its message, or sends it anew and takes the buttons off the older one. In a
 * roadmap, where several people may share the phone, the older one goes: it may show answers.
 */
export async function showOnScreen(turn: Turn, s: string, view: View, messageId?: number): Promise<void> {
  const { screens } = turn.account
  const older = screens[s]
  if (older !== undefined && older !== messageId) {
    const isShared = (await turn.work.get(recordFiles, s))?.parent !== undefined
    await (isShared ? turn.takeAway(older) : turn.disarm(older))
  }
  const shown = await turn.show(messageId, view)
  if (shown !== undefined) screens[s] = shown
}

function sittingView(
  turn: Turn,
  file: RecordFile,
  placed: PlacedQuestion[],
  sitting: Sitting,
  page: number,
): View {
  const { allowBack } = turn.deps.config
  const answers = turn.deps.vault.sittingCipher.decryptAnswers(sitting)
  const question = placed[sitting.view]
  if (!question) return reviewView(turn.t, { s: file.s, placed, answers, page, allowBack })
  return questionView(turn.t, {
    s: file.s,
    placed: question,
    position: sitting.view,
    total: sitting.questions,
    revision: sitting.revision,
    answered: sitting.answered,
    activeSeconds: sitting.activeMs / 1_000,
    recommendedMinutes: file.test.minutes,
    allowBack,
    chosen: answers[sitting.view],
  })
}

/** Writes the code that proves the answers unharmed, once all are there; it is checked before they are sent. */
export async function seal(turn: Turn, s: string, sitting: Sitting): Promise<void> {
  const { sittingCipher } = turn.deps.vault
  if (sittingCipher.verify(sitting) !== 'unsealed') return
  await moveSitting(turn, s, sitting, {
    kind: 'seal',
    revision: sitting.revision,
    mac: sittingCipher.mac(sitting),
  })
}
