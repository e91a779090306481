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
 * A call survives its process, so its outcome comes, but the budget of an hour may hold it up; asked for a second time
 * before, it might send a second SMS. After so long without an outcome the chat does not wait for it any more.
 */
const LOST_AFTER_MS = 2 * HOUR_MS

/** Whether the chat waits for a call about this record. */
export function isPending({ account, now }: Pick<UpdateContext, 'account' | 'now'>, s: string): boolean {
  const pending = account.pending[s]
  return pending !== undefined && now - pending.at < LOST_AFTER_MS
}

/** Whether a call may be under way, or wait in line, that makes a profile. */
export const mayMakeProfile = (ctx: Pick<UpdateContext, 'account' | 'now'>, s: string): boolean =>
  isPending(ctx, s) && isUnrepeatable(ctx.account.pending[s]?.kind ?? '')

/** What an organizer wants a call for, or what is taken over with it. */
type Purpose = Pick<Account['pending'][string], 'act' | 'takes'>

/** Asks the service in the background; the outcome comes back to this chat as a message of its own, with what it is for. */
export async function callService(
  ctx: UpdateContext,
  s: string,
  call: Call,
  what: Purpose = {},
  /** The message that says the place in line already. */
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

/** The same sent once more is what was sent before. */
function addSent(earlier: SentDetails | undefined, typed: SentDetails | undefined) {
  if (!earlier || !typed) return earlier ?? typed
  const { before: _, ...last } = earlier
  return isDeepStrictEqual(last, typed) ? earlier : { ...typed, before: earlier }
}

/** What a call carries of the people whose details were typed here. */
function typedOf(call: Call, { people }: Draft): SentDetails | undefined {
  if ('profile' in call) return { profile: call.profile }
  const sent = 'roles' in call ? call.roles : undefined
  const roles = sent?.roles.filter(({ id }) => people.some(({ role }) => role?.id === id)) ?? []
  return roles.length > 0 ? { roles: { ...sent, roles } } : undefined
}

/** The chat waits for this call no more: where it still waits in line it is not made. */
export async function dropCall({ account, work }: Pick<UpdateContext, 'account' | 'work'>, s: string) {
  const call = account.pending[s]
  delete account.pending[s]
  noteUnclear(call, await work.get(recordFiles, s))
}

/** Nobody knows what came of this call: the next one that must not be repeated looks first. */
function noteUnclear(call: Pick<Account['pending'][string], 'kind'> | undefined, file?: RecordFile) {
  if (call && file && isUnrepeatable(call.kind)) file.isSentUnclear = true
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

/** Hands complete answers to the job that brings them to the service. */
export async function postSubmission(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { s } = file
  submitJob.post(ctx.work, s, { s, onBehalf: await onBehalf(ctx) }, { replace: true })
}
