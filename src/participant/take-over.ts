import { isMine, membersHere } from '../dialog/access.ts'
import { takeAttempt } from '../dialog/attempt.ts'
import { onBehalf, postSubmission } from '../dialog/call.ts'
import { assign, assigneeOf, keepIndex, remember } from '../dialog/files.ts'
import { sendText } from '../dialog/send.ts'
import { askForMobile, whyNotInvited } from '../dialog/takeover-mobile.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { Takes, Taking } from '../domain/account.ts'
import { type Assignee, isAssignee, isOthers, missed, takenOver, triesOf } from '../domain/assignee.ts'
import { parseMobile } from '../domain/persian/mobile.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { everyRecord } from '../domain/roadmap.ts'
import { postAct } from '../jobs/acts.ts'
import { generationJob } from '../jobs/analysis.ts'
import type { OutcomeOf } from '../jobs/call-table.ts'
import { endInvitations, madeInvitation, useUp } from '../jobs/invite.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { postEvent } from '../queue/chat-message.ts'
import { owedResults, recordFiles } from '../storage/documents/kinds.ts'
import { notifyOthers } from './board.ts'
import { deliver, deliverAgain } from './deliver.ts'
import { awaitAnalysis } from './generation.ts'
import { openedInvitation } from './may-begin.ts'
import { openInvitation } from './open-invitation.ts'
import { watchOpening } from './waiting.ts'

/** Takes the service's answer about the profile: with the right number everything passes to this account. */
export async function takeOver(ctx: UpdateContext, takes: Takes, outcome: OutcomeOf<'open'>): Promise<void> {
  const { t } = ctx
  const { taking, mobile, typed } = takes
  // Telegram may have failed to delete them when they came.
  ctx.deleteMessages(typed)
  const released = await assigneeOf(ctx, taking)
  const isReleased = isAssignee(released, 'released') && !isOthers(released, ctx.who)
  if (!isReleased) return sendText(ctx, 'invitation-used')
  const closed = await whyNotInvited(ctx, taking)
  if (closed) return sendText(ctx, `invitation-${closed}`)
  if (!outcome.ok) return askForMobile(ctx, taking, t('takeover-later'))
  const known = parseMobile(outcome.value.profile?.mobile ?? '')
  if (released.tries <= 0 || !known.ok) return askForMobile(ctx, taking, t('takeover-unknown'))
  if (known.mobile !== mobile) {
    const tries = triesOf(await assign(ctx, taking, missed)) ?? 0
    return askForMobile(ctx, taking, t('takeover-wrong', { tries }))
  }
  await take(ctx, taking)
}

/** Gives what was released, a whole or one role of it, to this account with every answer. */
async function take(ctx: UpdateContext, taken: Taking): Promise<void> {
  const { who, account, language } = ctx
  const { consent } = taken
  const passed = await assign(ctx, taken, takenOver, { who, chatId: account.chatId, language, consent })
  if (!passed) return sendText(ctx, 'invitation-used')
  postAct(ctx.work, { what: 'taken-over', token: taken.token, at: ctx.now })
  const file = await ctx.work.get(recordFiles, taken.s)
  if (!file) {
    // The record is no longer stored: the person is known, and begins at the introduction.
    const { s, token, kind } = taken
    const { externalId } = (await openedInvitation(ctx, { s })) ?? {}
    return openInvitation(ctx, { kind, token, externalId }, { keepsInvitation: true })
  }
  const own = await ownRecords(ctx, file)
  for (const { s } of [file, ...own]) {
    await ctx.work.touch(recordFiles, s)
    await takeAttempt(ctx, s)
  }
  if (taken.role === undefined) await takeWhole(ctx, file, passed)
  else {
    // The invitation is used up; the other accounts of the roadmap go on.
    useUp(await madeInvitation(ctx.work, taken.code), ctx.now)
    await notifyOthers(ctx, file)
  }
  await remember(ctx, file)
  await sendText(ctx, 'takeover-done')
  const hasOthers = !(await isAlone(ctx, file))
  // The work for a whole roadmap has gone on for the others.
  if (taken.role === undefined || !hasOthers) await goOnWithWork(ctx, file)
  // The report may have gone only to the others.
  const isTheirs = isIn(file, 'scored', 'done') && hasOthers
  if (isTheirs && resultToOf(ctx.deps.config, file) !== 'organizer') await deliverAgain(ctx, file)
  for (const record of own) await goOnWithWork(ctx, record)
  // After the commit, which gives the attempts to this account.
  postEvent(ctx.work, { who, chatId: account.chatId }, file.s, { kind: 'taken' })
}

async function takeWhole(ctx: UpdateContext, file: RecordFile, { before }: Assignee): Promise<void> {
  const { who, account } = ctx
  file.chatId = account.chatId
  await endInvitations(ctx, file.token)
  const { lastRoles } = file.roadmap ?? {}
  const last = lastRoles?.[before?.at(-1) ?? '']
  if (lastRoles && last !== undefined) lastRoles[who] = last
  keepIndex(ctx, file)
}

/** Whether no other account takes part. */
const isAlone = async (ctx: UpdateContext, file: RecordFile): Promise<boolean> =>
  (await membersHere(ctx, file)).every(({ who }) => who === ctx.who)

/** Restarts the work that ran on behalf of the previous account. */
async function goOnWithWork(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const { s } = file
  if (isIn(file, 'waiting')) await watchOpening(ctx, file)
  if (isIn(file, 'submitting')) await postSubmission(ctx, file)
  if (file.roadmap?.autoAt !== undefined) await awaitAnalysis(ctx, file)
  if (isIn(file, 'generating'))
    generationJob.post(ctx.work, s, { s, onBehalf: await onBehalf(ctx), phase: 'start' }, { replace: true })
  // A part that others have, such as organizers, is not sent again.
  if (isIn(file, 'scored') && (await isAlone(ctx, file))) {
    const isLaidOut = (await ctx.work.get(owedResults, s)) !== undefined
    await deliver(ctx, file, isLaidOut ? ctx.account.chatId : undefined)
  }
}

/** The files of a roadmap's records that this account holds, also of those the service no longer names. */
async function ownRecords(ctx: UpdateContext, { roadmap }: RecordFile): Promise<RecordFile[]> {
  const found: RecordFile[] = []
  for (const { s } of roadmap ? everyRecord(roadmap) : []) {
    const record = await ctx.work.get(recordFiles, s)
    if (record && (await isMine(ctx, record))) found.push(record)
  }
  return found
}
