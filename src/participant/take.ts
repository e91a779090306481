import { isMine } from '../dialog/access.ts'
import { takeAttempt } from '../dialog/attempt.ts'
import { onBehalf } from '../dialog/call.ts'
import { assignPart, keepIndex, remember } from '../dialog/files.ts'
import { sendText } from '../dialog/notify.ts'
import { postSubmission } from '../dialog/submission.ts'
import type { Turn } from '../dialog/turn.ts'
import type { Taking } from '../domain/account.ts'
import { type Assignee, accountOf, takenOver } from '../domain/assignee.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { handOf } from '../domain/roadmap.ts'
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
export async function take(turn: Turn, taken: Taking): Promise<void> {
  const { who, account, language } = turn
  const passed = await assignPart(turn, taken, takenOver, { who, chatId: account.chatId, language })
  if (!passed) return sendText(turn, 'invitation-used')
  const file = await turn.work.get(recordFiles, taken.s)
  if (!file) return takeMark(turn, taken)
  const own = await ownRecords(turn, file)
  for (const each of [file, ...own]) await takeFile(turn, each)
  await (taken.role === undefined ? haveWhole(turn, file, passed) : haveRole(turn, file, taken.role))
  await remember(turn, file)
  await sendText(turn, 'takeover-done')
  // What concerns all of a roadmap has gone on for the others.
  if (taken.role === undefined || isAlone(turn, file)) await goOnWithWork(turn, file)
  for (const record of own) await goOnWithWork(turn, record)
  // Not before its attempts are kept as this account's.
  postEvent(turn.work, { who, chatId: account.chatId }, file.s, { kind: 'taken' })
}

async function haveWhole(turn: Turn, file: RecordFile, { before }: Assignee): Promise<void> {
  const { who, account, work, deps, now } = turn
  file.chatId = account.chatId
  await endInvitations({ work, vault: deps.vault, now }, file.token)
  const { lastRoles } = file.roadmap ?? {}
  const last = lastRoles?.[before?.at(-1) ?? '']
  if (lastRoles && last !== undefined) lastRoles[who] = last
  keepIndex(turn, file)
}

/** The invitation is used up; the others of the roadmap go on as they did. */
async function haveRole(turn: Turn, file: RecordFile, role: number): Promise<void> {
  const { code = '' } = (file.roadmap && handOf(file.roadmap, role)) ?? {}
  const made = await turn.work.get(invitations, codeKey(turn.deps.vault, code))
  if (isMade(made)) Object.assign(made, { over: 'used', overAt: turn.now } satisfies Partial<MadeInvitation>)
  await notifyOthers(turn, file)
}

/** Nothing is kept of it any more: the person is known, and begins at the introduction. */
async function takeMark(turn: Turn, { s, token, kind }: Taking): Promise<void> {
  const { externalId } = (await openedInvitation(turn, { s })) ?? {}
  const invitation = kind === 'record' ? { kind, token, externalId } : { kind, token }
  await openInvitation(turn, invitation, { keepsInvitation: true })
}

async function takeFile(turn: Turn, { s }: RecordFile): Promise<void> {
  await turn.work.touch(recordFiles, s)
  await takeAttempt(turn, s)
}

/** Whether nobody else takes part. */
const isAlone = ({ who }: Turn, { roadmap }: RecordFile): boolean =>
  roadmap?.hands.every(({ assignee }) => (accountOf(assignee) ?? who) === who) ?? true

/** What was under way was so on behalf of the account before. */
async function goOnWithWork(turn: Turn, file: RecordFile): Promise<void> {
  const { s } = file
  if (isIn(file, 'waiting')) await watchOpening(turn, file)
  if (isIn(file, 'submitting')) await postSubmission(turn, file)
  if (isIn(file, 'generating')) {
    const job = { s, onBehalf: await onBehalf(turn), phase: 'start' as const }
    generationJob.post(turn.work, s, job, { replace: true })
  }
  // A part that others have, organizers among them, is not sent again.
  if (isIn(file, 'scored') && isAlone(turn, file)) {
    const isLaidOut = (await turn.work.get(owedResults, s)) !== undefined
    await deliver(turn, file, isLaidOut ? turn.account.chatId : undefined)
  }
}

/** The files of a roadmap's records that are this account's. */
async function ownRecords(turn: Turn, { roadmap }: RecordFile): Promise<RecordFile[]> {
  const found: RecordFile[] = []
  for (const { s } of roadmap?.records ?? []) {
    const record = await turn.work.get(recordFiles, s)
    if (record && (await isMine(turn, record))) found.push(record)
  }
  return found
}
