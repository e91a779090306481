import { isMine } from '../chat/access.ts'
import { onBehalf } from '../chat/call.ts'
import { assign, keepIndex, remember } from '../chat/files.ts'
import { tell } from '../chat/say.ts'
import { takeSitting } from '../chat/sitting.ts'
import { postSubmission } from '../chat/submission.ts'
import type { Turn } from '../chat/turn.ts'
import type { Account } from '../domain/account.ts'
import { type Assignee, accountOf, takenOver } from '../domain/assignee.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { handOf } from '../domain/roadmap.ts'
import { generationJob } from '../jobs/generation.ts'
import { endInvitations } from '../jobs/invite.ts'
import { owedResults, recordFiles } from '../kept/documents.ts'
import { invitations, isMade, type MadeInvitation } from '../kept/invitations.ts'
import { codeKey } from '../kept/keys.ts'
import { postEvent } from '../mail/chat-message.ts'
import { tellOthers } from './board-news.ts'
import { deliver, watchExpiry } from './deliver.ts'
import { openInvitation } from './introduce.ts'
import { openedInvitation } from './opened-invitation.ts'
import { watchOpening } from './waiting.ts'

type Taken = Pick<NonNullable<Account['takesOver']>, 's' | 'token' | 'kind'>

/** One role of a roadmap passes to this account; the others go on as they did. */
export async function takeRole(turn: Turn, { s }: Taken, role: number): Promise<void> {
  const { who, account, language, work, now } = turn
  const file = await work.get(recordFiles, s)
  const hand = file?.roadmap && handOf(file.roadmap, role)
  const taken = hand && takenOver(hand.assignee, { who, chatId: account.chatId, language })
  if (!file || !taken) return tell(turn, 'invitation-used')
  hand.assignee = taken
  const made = await work.get(invitations, codeKey(turn.deps.vault, hand.code))
  if (isMade(made)) Object.assign(made, { over: 'used', overAt: now } satisfies Partial<MadeInvitation>)
  for (const record of await ownRecords(turn, file)) await takeFile(turn, record)
  await tellOthers(turn, file)
  await remember(turn, file)
  await tell(turn, 'takeover-done')
  // What concerns all of a roadmap has gone on for the others.
  if (isAlone(turn, file)) await goOnWithWork(turn, file)
  await arrive(turn, file)
}

/** Everything that was released passes to this account. */
export async function take(turn: Turn, taken: Taken, { before }: Assignee): Promise<void> {
  const { who, account, work } = turn
  const { s, token } = taken
  if (!(await assign(turn, token, takenOver, { who }))) return tell(turn, 'invitation-used')
  const file = await work.get(recordFiles, s)
  if (!file) return takeMark(turn, taken)
  for (const each of [file, ...(await ownRecords(turn, file))]) await takeFile(turn, each)
  file.chatId = account.chatId
  await endInvitations({ work, vault: turn.deps.vault, now: turn.now }, token)
  const { lastRoles } = file.roadmap ?? {}
  const last = lastRoles?.[before?.at(-1) ?? '']
  if (lastRoles && last !== undefined) lastRoles[who] = last
  keepIndex(turn, file)
  await remember(turn, file)
  await tell(turn, 'takeover-done')
  await goOnWithWork(turn, file)
  await arrive(turn, file)
}

/** Nothing is kept of it any more: the person is known, and begins at the introduction. */
async function takeMark(turn: Turn, { s, token, kind = 'record' }: Taken): Promise<void> {
  const { externalId } = (await openedInvitation(turn, { s })) ?? {}
  const invitation = kind === 'record' ? { kind, token, externalId } : { kind, token }
  await openInvitation(turn, invitation, { keepsInvitation: true })
}

async function takeFile(turn: Turn, { s }: RecordFile): Promise<void> {
  await turn.work.touch(recordFiles, s)
  await takeSitting(turn, s)
}

async function arrive(turn: Turn, file: RecordFile): Promise<void> {
  for (const record of await ownRecords(turn, file)) await goOnWithWork(turn, record)
  // Not before its sittings are kept as this account's.
  postEvent(turn.work, { who: turn.who, chatId: turn.account.chatId }, file.s, { kind: 'taken' })
}

/** Whether nobody else takes part. */
const isAlone = ({ who }: Turn, { roadmap }: RecordFile): boolean =>
  roadmap?.hands.every(({ assignee }) => (accountOf(assignee) ?? who) === who) ?? true

/** What was under way was so on behalf of the account before. */
async function goOnWithWork(turn: Turn, file: RecordFile): Promise<void> {
  const { s } = file
  if (isIn(file, 'waiting')) await watchOpening(turn, file)
  if (isIn(file, 'submitting')) await postSubmission(turn, file)
  if (isIn(file, 'submitting', 'refused')) await watchExpiry(turn, s)
  if (isIn(file, 'generating')) {
    const job = { s, onBehalf: await onBehalf(turn), phase: 'start' as const }
    generationJob.post(turn.work, s, job, { replace: true })
  }
  // A part that others have is not sent again.
  if (isIn(file, 'scored') && isAlone(turn, file)) {
    turn.work.remove(owedResults, s)
    await deliver(turn, file)
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
