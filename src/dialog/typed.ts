import { HOUR_MS } from '../domain/durations.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { timerIds, watchJobs } from '../jobs/watch-jobs.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import type { View } from '../views/view.ts'
import { isMine } from './access.ts'
import { onBehalf } from './call.ts'
import { sendText } from './notify.ts'
import type { Turn } from './turn.ts'

/** Bots may delete messages for 48 hours: what was typed goes before that, whatever became of the dialog. */
const TYPED_LIFE_MS = 46 * HOUR_MS

/** Notes a message with personal data, to be deleted from the chat after use, or before it cannot be deleted any more. */
export async function noteTyped(turn: Turn, file: RecordFile, messageId: number): Promise<void> {
  const { typed = [], s } = file
  file.typed = [...typed, messageId]
  if (typed.length > 0) return
  const job = { s, onBehalf: await onBehalf(turn), event: { kind: 'typed-old' } } as const
  watchJobs.timer.post(turn.work, timerIds.typed(s), job, { dueAt: turn.now + TYPED_LIFE_MS, replace: true })
}

/** What was typed for a draft that the chat turns away from does not stay in it; the draft does. */
export async function leaveDraft(turn: Turn, next?: RecordFile): Promise<void> {
  const { focus } = turn.account
  const file = focus === undefined || focus === next?.s ? undefined : await turn.work.get(recordFiles, focus)
  if (file && isIn(file, 'profile', 'code') && (await isMine(turn, file)))
    await deleteTyped(turn, file, 'typed-withdrawn')
}

/** Asks for or about personal details; the message goes from the chat together with what is typed there. */
export async function askPersonal(turn: Turn, file: RecordFile, view: View): Promise<void> {
  const before = turn.sent.length
  await turn.ask(view)
  for (const messageId of turn.sent.slice(before)) await noteTyped(turn, file, messageId)
}

/** Asks for a detail once more: what asked for it before goes, so that one question never stands there twice. */
export async function askDetail(turn: Turn, file: RecordFile, ask: string, view: View): Promise<void> {
  const { account } = turn
  const older = account.detail
  const before = turn.sent.length
  await askPersonal(turn, file, view)
  const messageId = turn.sent.slice(before).at(-1)
  if (messageId === undefined) return
  if (older?.s === file.s && older.ask === ask) await turn.deleteMessages([older.messageId])
  account.detail = { s: file.s, ask, messageId }
}

/** Takes what was typed out of the chat, without a word. */
export async function withdrawTyped(turn: Turn, file: RecordFile): Promise<void> {
  const { typed } = file
  delete file.typed
  if (typed) await turn.deleteMessages(typed)
}

/** Says so, then deletes what was typed (Telegram allows it for 48 hours). */
export async function deleteTyped(
  turn: Turn,
  file: RecordFile,
  words: 'typed-deleted' | 'typed-deleted-sms' | 'typed-withdrawn',
): Promise<void> {
  const { typed = [] } = file
  const { asked } = turn.account
  if (typed.length === 0) return
  // What is said now in the place of the question stays.
  if (turn.account.detail?.s === file.s) delete turn.account.detail
  if (asked === undefined || !typed.includes(asked)) await sendText(turn, words)
  else await turn.close(turn.t(words))
  // The word stands in the place of the question.
  file.typed = typed.filter((id) => id !== asked)
  await withdrawTyped(turn, file)
}
