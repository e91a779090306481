import { randomBytes } from 'node:crypto'
import { languageOf } from '../domain/account.ts'
import { HOUR_MS } from '../domain/durations.ts'
import type { Member } from '../domain/roadmap.ts'
import { callJob, visitJob } from '../jobs/call-job.ts'
import type { Call } from '../jobs/call-table.ts'
import { epochOf } from '../queue/current.ts'
import { accounts, recordFiles } from '../storage/documents/kinds.ts'
import type { OnBehalf } from '../storage/documents/owed-result.ts'
import type { UpdateContext } from './update-context.ts'

/**
 * A call survives its process, so its outcome comes, but the budget of an hour may hold it up; asked for a second time
 * before, it might send a second SMS. After so long without an outcome the chat does not wait for it any more.
 */
const LOST_AFTER_MS = 2 * HOUR_MS

/** Whether the chat waits for a call about this record. */
export function isPending({ account, now }: Pick<UpdateContext, 'account' | 'now'>, s: string): boolean {
  const pending = account.pending[s]
  return pending !== undefined && now - pending.at < LOST_AFTER_MS
}

/** Asks the service in the background; the outcome comes back to this chat as a message of its own. */
export async function callService(ctx: UpdateContext, s: string, call: Call): Promise<void> {
  const { account, who, work, now } = ctx
  const id = randomBytes(6).toString('base64url')
  account.pending[s] = { id, kind: call.kind, at: now }
  const file = await work.get(recordFiles, s)
  const isVisit = (call.kind === 'open' || call.kind === 'openRoadmap') && !file?.isBegun
  const wanted = isVisit ? visitJob : callJob
  wanted.post(work, `${s}:${who}`, { s, id, call, onBehalf: await onBehalf(ctx) }, { replace: true })
  await ctx.typing()
}

/** For whom a job of this update works. */
export const onBehalf = async ({ work, who, account, language }: UpdateContext): Promise<OnBehalf> => ({
  who,
  chatId: account.chatId,
  epoch: await epochOf(work, who),
  language,
})

/** The same for a job of somebody else who takes part. */
export async function onBehalfOf({ work, deps }: UpdateContext, { who, chatId }: Member): Promise<OnBehalf> {
  const language = languageOf(await work.get(accounts, who), deps.config)
  return { who, chatId, epoch: await epochOf(work, who), language }
}
