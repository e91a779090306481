import { isMine } from '../dialog/access.ts'
import { takeAttempt } from '../dialog/attempt.ts'
import { onBehalf } from '../dialog/call.ts'
import { assignPart, keepIndex, remember } from '../dialog/files.ts'
import { sendText } from '../dialog/notify.ts'
import { postSubmission } from '../dialog/submission.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { Taking } from '../domain/account.ts'
import { type Assignee, accountOf, takenOver } from '../domain/assignee.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { assignmentOf } from '../domain/roadmap.ts'
import { generationJob } from '../jobs/generation.ts'
import { endInvitations } from '../jobs/invite.ts'
import { postEvent } from '../queue/chat-message.ts'
import { invitations, isMade, type MadeInvitation } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/keys.ts'
import { owedResults, recordFiles } from '../storage/documents/kinds.ts'
import { notifyOthers } from './board-news.ts'
import { deliver } from './deliver.ts'
import { openInvitation } from './introduce.ts'
import { openedInvitation } from './opened-invitation.ts'
import { watchOpening } from './waiting.ts'

/** What was released, as a whole or one role of it, passes to this account with every answer. */
export async function take(ctx: UpdateContext, taken: Taking): Promise<void> {
  const { who, account, language } = ctx
  const passed = await assignPart(ctx, taken, takenOver, { who, chatId: account.chatId, language })
  if (!passed) return sendText(ctx, 'invitation-used')
  const file = await ctx.work.get(recordFiles, taken.s)
  if (!file) return takeMark(ctx, taken)
  const own = await ownRecords(ctx, file)
  for (const each of [file, ...own]) await takeFile(ctx, each)
  await (taken.role === undefined ? haveWhole(ctx, file, passed) : haveRole(ctx, file, taken.role))
  await remember(ctx, file)
  await sendText(ctx, 'takeover-done')
  // What concerns all of a roadmap has gone on for the others.
  if (taken.role === undefined || isAlone(ctx, file)) await goOnWithWork(ctx, file)
  for (const record of own) await goOnWithWork(ctx, record)
  // Not before its attempts are kept as this account's.
  postEvent(ctx.work, { who, chatId: account.chatId }, file.s, { kind: 'taken' })
}

async function haveWhole(ctx: UpdateContext, file: RecordFile, { before }: Assignee): Promise<void> {
  const { who, account, work, deps, now } = ctx
  file.chatId = account.chatId
  await endInvitations({ work, vault: deps.vault, now }, file.token)
  const { lastRoles } = file.roadmap ?? {}
  const last = lastRoles?.[before?.at(-1) ?? '']
  if (lastRoles && last !== undefined) lastRoles[who] = last
  keepIndex(ctx, file)
}

/** The invitation is used up; the others of the roadmap go on as they did. */
async function haveRole(ctx: UpdateContext, file: RecordFile, role: number): Promise<void> {
  const { code = '' } = (file.roadmap && assignmentOf(file.roadmap, role)) ?? {}
  const made = await ctx.work.get(invitations, codeKey(ctx.deps.vault, code))
  if (isMade(made)) Object.assign(made, { over: 'used', overAt: ctx.now } satisfies Partial<MadeInvitation>)
  await notifyOthers(ctx, file)
}

/** Nothing is kept of it any more: the person is known, and begins at the introduction. */
async function takeMark(ctx: UpdateContext, { s, token, kind }: Taking): Promise<void> {
  const { externalId } = (await openedInvitation(ctx, { s })) ?? {}
  const invitation = kind === 'record' ? { kind, token, externalId } : { kind, token }
  await openInvitation(ctx, invitation, { keepsInvitation: true })
}

async function takeFile(ctx: UpdateContext, { s }: RecordFile): Promise<void> {
  await ctx.work.touch(recordFiles, s)
  await takeAttempt(ctx, s)
}

/** Whether nobody else takes part. */
const isAlone = ({ who }: UpdateContext, { roadmap }: RecordFile): boolean =>
  roadmap?.hands.every(({ assignee }) => (accountOf(assignee) ?? who) === who) ?? true

/** What was under way was so on behalf of the account before. */
async function goOnWithWork(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { s } = file
  if (isIn(file, 'waiting')) await watchOpening(ctx, file)
  if (isIn(file, 'submitting')) await postSubmission(ctx, file)
  if (isIn(file, 'generating')) {
    const job = { s, onBehalf: await onBehalf(ctx), phase: 'start' as const }
    generationJob.post(ctx.work, s, job, { replace: true })
  }
  // A part that others have, organizers among them, is not sent again.
  if (isIn(file, 'scored') && isAlone(ctx, file)) {
    const isLaidOut = (await ctx.work.get(owedResults, s)) !== undefined
    await deliver(ctx, file, isLaidOut ? ctx.account.chatId : undefined)
  }
}

/** The files of a roadmap's records that are this account's. */
async function ownRecords(ctx: UpdateContext, { roadmap }: RecordFile): Promise<RecordFile[]> {
  const found: RecordFile[] = []
  for (const { s } of roadmap?.records ?? []) {
    const record = await ctx.work.get(recordFiles, s)
    if (record && (await isMine(ctx, record))) found.push(record)
  }
  return found
}
