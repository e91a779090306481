import { randomBytes } from 'node:crypto'
import { type Call, type CallJob, callActor, type OnBehalf } from '../background/actors.ts'
import { epochs } from '../background/kinds.ts'
import type { Turn } from './turn.ts'

/** A call that has brought no outcome for so long was lost with its process and may be asked for again. */
const LOST_AFTER_MS = 10 * 60_000

/** Whether the chat waits for a call about this record. */
export function isPending({ account, now }: Turn, s: string): boolean {
  const pending = account.pending[s]
  return pending !== undefined && now - pending.at < LOST_AFTER_MS
}

/** Asks the service in the background; the outcome comes back to this chat as a message of its own. */
export async function callService(turn: Turn, s: string, call: Call): Promise<void> {
  const { account, who, work, now } = turn
  const id = randomBytes(6).toString('base64url')
  account.pending[s] = { id, kind: call.kind, at: now }
  const job: CallJob = { s, id, call, onBehalf: await onBehalf(turn) }
  work.post(callActor(s, who), job, { replace: true })
  await turn.typing()
}

/** For whom a job of this turn works. */
export async function onBehalf({ work, who, account, language }: Turn): Promise<OnBehalf> {
  const epoch = (await work.get(epochs, who))?.epoch ?? 0
  return { who, chatId: account.chatId, epoch, language }
}
