import { acceptedHands, isMine, openedHand } from '../dialog/access.ts'
import { leaveMobile } from '../dialog/expected.ts'
import { assigneeOf, remember } from '../dialog/files.ts'
import { askForMobile } from '../dialog/known-mobile.ts'
import { sendText, withOtherLanguage } from '../dialog/notify.ts'
import type { Turn } from '../dialog/turn.ts'
import { leaveDraft } from '../dialog/typed.ts'
import { accountOf, begun, isIn as isAssignee, isParted } from '../domain/assignee.ts'
import { accountsOf, isIn, type RecordFile } from '../domain/record/record.ts'
import { roleLabel } from '../domain/record/whose.ts'
import { type Hand, handOf, needsGuardian, recordsOf } from '../domain/roadmap.ts'
import { resultToOf } from '../jobs/recipients.ts'
import { invitations, isMade, type MadeInvitation, whyClosed } from '../storage/documents/invitations.ts'
import { CONSENT_VERSION, recordFiles } from '../storage/documents/kinds.ts'
import { handIntroductionView } from '../views/hand-over.ts'
import { guardianView } from '../views/profile.ts'
import { noteBegun } from './begun.ts'
import { showBoard } from './board.ts'
import { notifyOthers } from './board-news.ts'
import { giveRecords, hashCode } from './hand-over.ts'
import { closedWords, isReceiverAsRead, noteRead } from './opened-invitation.ts'

/**
 * Opens an invitation code: what the role's tests are and who receives the report. Returns the roadmap when the role
 * is this account's already, so that its place is to be shown.
 */
export async function openRoleInvitation(turn: Turn, code: string): Promise<RecordFile | undefined> {
  const { account, work } = turn
  const invitation = await work.get(invitations, hashCode(turn, code))
  const given = isMade(invitation)
    ? invitation.role && { ...invitation.role, role: invitation.role.id }
    : invitation
  const file = given && (await work.get(recordFiles, given.s))
  const hand = file?.roadmap && given && handOf(file.roadmap, given.role)
  if (!file || !hand || hand.code !== code) {
    // Another code leads to it since an organizer has released it.
    await sendText(turn, hand ? 'invitation-used' : 'invitation-unknown')
    return undefined
  }
  if (isAssignee(hand.assignee, 'released')) {
    await askForRole(turn, file, hand)
    return undefined
  }
  const isInvited = hand.assignee.is === 'invited'
  const isTaken = !isInvited && accountOf(hand.assignee) !== turn.who
  const isOver = isInvited && !isOpenToRole(file, hand)
  if (isTaken || isOver || (await isMine(turn, file))) {
    await sendText(turn, isTaken || isOver ? 'invitation-used' : 'hand-own')
    return undefined
  }
  leaveMobile(turn)
  account.invited = { ...account.invited, [file.s]: code }
  await leaveDraft(turn, file)
  account.focus = file.s
  await remember(turn, file)
  if (!isInvited) return file
  await introduceRole(turn, file, hand)
  return undefined
}

/** Whoever opens the invitation to a role that was released for the same person is asked for the mobile. */
async function askForRole(turn: Turn, file: RecordFile, hand: Hand): Promise<void> {
  const isOwn = await isMine(turn, file)
  if (isOwn || hand.assignee.before?.includes(turn.who))
    return sendText(turn, isOwn ? 'hand-own' : 'invitation-used')
  const { s, token } = file
  await askForMobile(turn, { s, token, kind: 'roadmap', role: hand.role, code: hand.code })
}

/** Whether a code was ever made, and is still known. */
export const isKnownCode = async (turn: Turn, code: string): Promise<boolean> =>
  (await turn.work.get(invitations, hashCode(turn, code))) !== undefined

/** A report goes only to those whose attempts led to it, so a role without anything left to do is not taken up. */
const isOpenToRole = (file: RecordFile, { role }: Hand): boolean =>
  isIn(file, 'board', 'failed') &&
  file.roadmap !== undefined &&
  recordsOf(file.roadmap, role).some(({ isFinished }) => !isFinished)

async function introduceRole(turn: Turn, file: RecordFile, { role: id }: Hand): Promise<void> {
  const { s, test, roadmap } = file
  const role = roadmap?.roles.find((each) => each.id === id)
  if (!roadmap || !role) return
  const tests = recordsOf(roadmap, id).map(({ title }) => title)
  const { config } = turn.deps
  const terms = { ...config, resultTo: resultToOf(config, file) }
  noteRead(turn, file, terms.resultTo)
  const introduction = { ...terms, s, title: test.title, role: role.title, tests }
  await turn.ask(withOtherLanguage(turn, handIntroductionView(turn.t, introduction)))
}

/** Leads an account that was given a role to what comes before its tests. */
export async function showBeforeTests(turn: Turn, file: RecordFile): Promise<'shown' | 'nothing before'> {
  if (await isMine(turn, file)) return 'nothing before'
  const child = childOf(turn, file)
  const opened = openedHand(turn, file)
  if (child) await askGuardian(turn, file, child)
  else if (opened && acceptedHands(turn, file).length === 0) await introduceRole(turn, file, opened)
  else return 'nothing before'
  return 'shown'
}

/** The role of a child on its own account that waits for the guardian's yes. */
export const childOf = (turn: Turn, file: RecordFile): Hand | undefined =>
  acceptedHands(turn, file).find((hand) => file.roadmap && needsGuardian(file.roadmap, hand))

async function askGuardian(turn: Turn, { roadmap }: RecordFile, { role: id }: Hand): Promise<void> {
  const role = roadmap?.roles.find((each) => each.id === id)
  if (role) await turn.ask(guardianView(turn.t, { name: roleLabel(role), limits: role.limits }))
}

/** Consent on the introduction of a role: its tests belong to this account from here on. */
export async function acceptRole(turn: Turn, file: RecordFile, hand: Hand): Promise<void> {
  const { who, account, language, now, deps } = turn
  if (!isOpenToRole(file, hand)) return sendText(turn, 'invitation-used')
  const consent = { at: now, language, version: CONSENT_VERSION }
  const beginner = { who, chatId: account.chatId, language, consent }
  const taken = begun(hand.assignee, beginner, { isInvited: true })
  if (!taken) return sendText(turn, 'invitation-used')
  const kept = await turn.work.get(invitations, hashCode(turn, hand.code))
  const made = isMade(kept) ? kept : undefined
  const closed = made && whyClosed(made, now)
  if (closed) return sendText(turn, closedWords[closed])
  const resultTo = resultToOf(deps.config, file)
  if (isReceiverAsRead(turn, file, resultTo) === false) {
    await sendText(turn, 'invitation-changed')
    return introduceRole(turn, file, hand)
  }
  if (made) Object.assign(made, { over: 'used', overAt: now } satisfies Partial<MadeInvitation>)
  file.resultTo = resultTo
  // Roles that were invited one by one: the first of them begins the whole.
  if (isParted(await assigneeOf(turn, file.token)) && accountsOf(file, undefined).length === 0)
    noteBegun(turn, file)
  hand.assignee = taken
  await giveRecords(turn, file, hand.role)
  await notifyOthers(turn, file)
  account.focus = file.s
  if (account.asked !== undefined) await turn.disarm(account.asked)
  delete account.asked
  if ((await showBeforeTests(turn, file)) === 'nothing before') await showBoard(turn, file)
}
