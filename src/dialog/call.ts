import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Account, languageOf } from '../domain/account.ts'
import { HOUR_MS } from '../domain/durations.ts'
import type { Draft, SentDetails } from '../domain/profile.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import type { Member } from '../domain/roadmap.ts'
import { callJob, visitJob } from '../jobs/call-job.ts'
import { type Call, isUnrepeatable } from '../jobs/call-table.ts'
import { submitJob } from '../jobs/submit-answers.ts'
import { epochOf } from '../queue/job.ts'
import { accounts, type OnBehalf, recordFiles } from '../storage/documents/kinds.ts'
import type { UpdateContext } from './update-context.ts'

/**
 * A call survives its process, so its outcome comes, but the hourly budget may delay it, and a second call
 * before that might send a second SMS. After this time without an outcome the chat stops waiting.
 */
const LOST_AFTER_MS = 2 * HOUR_MS

/** Whether the chat waits for a call about this record. */
export function isPending({ account, now }: Pick<UpdateContext, 'account' | 'now'>, s: string): boolean {
  const pending = account.pending[s]
  return pending !== undefined && now - pending.at < LOST_AFTER_MS
}

/** Whether the service is being asked about something that this account has opened. */
export const isOpening = (ctx: Pick<UpdateContext, 'account' | 'now'>): boolean =>
  ctx.account.items.some((s) => isPending(ctx, s))

/** Whether a call that makes a profile may be running or queued. */
export const mayMakeProfile = (ctx: Pick<UpdateContext, 'account' | 'now'>, s: string): boolean =>
  isPending(ctx, s) && isUnrepeatable(ctx.account.pending[s]?.kind ?? '')

/** The act of an organizer that a call is for, or the take-over it is for. */
type Purpose = Pick<Account['pending'][string], 'act' | 'takes'>

/** Calls the service in the background. The outcome comes to the queue of this chat, with its purpose. */
export async function callService(
  ctx: UpdateContext,
  s: string,
  call: Call,
  what: Purpose = {},
  /** The message that shows the position in the queue. */
  told?: number,
) {
  const { account, who, work, now } = ctx
  const id = randomBytes(6).toString('base64url')
  const file = await work.get(recordFiles, s)
  noteUnclear(account.pending[s], file)
  account.pending[s] = { id, kind: call.kind, at: now, ...what }
  const looksFirst = isUnrepeatable(call.kind) ? file?.isSentUnclear : undefined
  const isSent = file && isUnrepeatable(call.kind) && isIn(file, 'profile', 'code')
  const earlier = isSent && looksFirst ? file.state.draft.sent : undefined
  if (isSent) file.state.draft.sent = addSent(earlier, typedOf(call, file.state.draft))
  const isVisit = (call.kind === 'open' || call.kind === 'openRoadmap') && !file?.isBegun
  const wanted = isVisit ? visitJob : callJob
  wanted.post(
    work,
    `${s}:${who}`,
    { s, id, call, looksFirst, earlier, onBehalf: await onBehalf(ctx), told },
    { replace: true },
  )
  ctx.typing()
}

/** Adds typed details to those already sent; the same details sent again change nothing. */
function addSent(earlier: SentDetails | undefined, typed: SentDetails | undefined) {
  if (!earlier || !typed) return earlier ?? typed
  const { before: _, ...last } = earlier
  return isDeepStrictEqual(last, typed) ? earlier : { ...typed, before: earlier }
}

/** The details in a call that were typed in this chat. */
function typedOf(call: Call, { people }: Draft): SentDetails | undefined {
  if ('profile' in call) return { profile: call.profile }
  const sent = 'roles' in call ? call.roles : undefined
  const roles = sent?.roles.filter(({ id }) => people.some(({ role }) => role?.id === id)) ?? []
  return roles.length > 0 ? { roles: { ...sent, roles } } : undefined
}

/** Stops waiting for a call; a call that is still queued is not made. */
export async function dropCall({ account, work }: Pick<UpdateContext, 'account' | 'work'>, s: string) {
  const call = account.pending[s]
  delete account.pending[s]
  noteUnclear(call, await work.get(recordFiles, s))
}

/** Notes that the outcome of a call is unknown: the next unrepeatable call checks the record first. */
function noteUnclear(call: Pick<Account['pending'][string], 'kind'> | undefined, file?: RecordFile) {
  if (call && file && isUnrepeatable(call.kind)) file.isSentUnclear = true
}

/** The account that a job of this update works for. */
export const onBehalf = async ({ work, who, account, language }: UpdateContext): Promise<OnBehalf> => ({
  who,
  chatId: account.chatId,
  epoch: await epochOf(work, who),
  language,
})

/** The same for another account that takes part. */
export async function onBehalfOf({ work, deps }: UpdateContext, { who, chatId }: Member): Promise<OnBehalf> {
  const language = languageOf(await work.get(accounts, who), deps.config)
  return { who, chatId, epoch: await epochOf(work, who), language }
}

/** Posts the job that submits complete answers to the service. */
export async function postSubmission(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { s } = file
  submitJob.post(ctx.work, s, { s, onBehalf: await onBehalf(ctx) }, { replace: true })
}
