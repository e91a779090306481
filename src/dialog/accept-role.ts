import { CONSENT_VERSION, recordFiles, roleInvitations } from '../background/kinds.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { type Hand, handOf, needsGuardian, recordsOf } from '../domain/roadmap.ts'
import { handIntroductionView } from '../views/hand-over.ts'
import { guardianView } from '../views/profile.ts'
import { showBoard, tellOthers } from './board.ts'
import { acceptedHands, openedHand, rememberOpened, saveFile } from './files.ts'
import { giveRecords, hashCode } from './hand-over.ts'
import { withLanguageHint } from './language-hint.ts'
import { notifyOrganizers } from './notify-organizers.ts'
import { tell } from './say.ts'
import type { Turn } from './turn.ts'

/**
 * Opens an invitation code: what the role's tests are and who receives the report. Returns the roadmap when the role
 * is this account's already, so that its place is to be shown.
 */
export async function openRoleInvitation(turn: Turn, code: string): Promise<RecordFile | undefined> {
  const { account, work } = turn
  const invitation = await work.get(roleInvitations, hashCode(turn, code))
  const kept = invitation && (await work.get(recordFiles, invitation.s))
  const hand = kept?.roadmap && handOf(kept.roadmap, invitation?.role ?? 0)
  if (!kept || !hand || hand.code !== code) {
    await tell(turn, 'invitation-unknown')
    return undefined
  }
  const isTaken = hand.who !== undefined && hand.who !== turn.who
  const isOver = hand.who === undefined && !isOpenToRole(kept, hand)
  if (isTaken || isOver || kept.owner === turn.who) {
    await tell(turn, isTaken || isOver ? 'invitation-used' : 'hand-own')
    return undefined
  }
  const file = structuredClone(kept)
  account.invited = { ...account.invited, [file.s]: code }
  account.focus = file.s
  rememberOpened(turn, file)
  if (hand.who !== undefined) return file
  await introduceRole(turn, file, hand)
  return undefined
}

/** Whether a code was ever made for a role, and is still known. */
export const isRoleInvitation = async (turn: Turn, code: string): Promise<boolean> =>
  (await turn.work.get(roleInvitations, hashCode(turn, code))) !== undefined

/** A report goes only to those whose sittings led to it, so a role without anything left to do is not taken up. */
const isOpenToRole = ({ stage, roadmap }: RecordFile, { role }: Hand): boolean =>
  (stage === 'board' || stage === 'failed') &&
  roadmap !== undefined &&
  recordsOf(roadmap, role).some(({ isFinished }) => !isFinished)

async function introduceRole(
  turn: Turn,
  { s, test, roadmap }: RecordFile,
  { role: id }: Hand,
): Promise<void> {
  const role = roadmap?.roles.find((each) => each.id === id)
  if (!roadmap || !role) return
  const tests = recordsOf(roadmap, id).map(({ title }) => title)
  const { organizerName, resultTo, retentionDays } = turn.deps.config
  const organizer = { organizerName, resultTo, retentionDays }
  const introduction = { s, title: test.title, role: role.title, tests, ...organizer }
  await turn.ask(withLanguageHint(turn, handIntroductionView(turn.t, introduction)))
}

/** Leads an account that was given a role to what comes before its tests. `false` when nothing does. */
export async function showBeforeTests(turn: Turn, file: RecordFile): Promise<boolean> {
  if (file.owner === turn.who) return false
  const child = childOf(turn, file)
  const opened = openedHand(turn, file)
  if (child) await askGuardian(turn, file, child)
  else if (opened && acceptedHands(turn, file).length === 0) await introduceRole(turn, file, opened)
  else return false
  return true
}

/** The role of a child on its own account that waits for the guardian's yes. */
const childOf = (turn: Turn, file: RecordFile): Hand | undefined =>
  acceptedHands(turn, file).find((hand) => file.roadmap && needsGuardian(file.roadmap, hand))

async function askGuardian(turn: Turn, { roadmap }: RecordFile, { role: id }: Hand): Promise<void> {
  const role = roadmap?.roles.find((each) => each.id === id)
  if (role) await turn.ask(guardianView(turn.t, { name: role.title, limits: role.limits }))
}

/** Consent on the introduction of a role: its tests belong to this account from here on. */
export async function acceptRole(turn: Turn, file: RecordFile, hand: Hand): Promise<void> {
  const { who, account, language, now } = turn
  if (!isOpenToRole(file, hand)) return tell(turn, 'invitation-used')
  const consent = { at: now, language, version: CONSENT_VERSION }
  Object.assign(hand, { who, chatId: account.chatId, language, consent })
  await giveRecords(turn, file, hand.role, who)
  saveFile(turn, file)
  tellOthers(turn, file)
  account.focus = file.s
  if (account.asked !== undefined) await turn.disarm(account.asked)
  delete account.asked
  if (!(await showBeforeTests(turn, file))) await showBoard(turn, file)
}

/** The guardian's answer for a child's own account. `false` when nobody was asked. */
export async function answerGuardian(turn: Turn, file: RecordFile, agrees: boolean): Promise<boolean> {
  const child = childOf(turn, file)
  if (!child) return false
  if (!agrees) {
    await tell(turn, 'guardian-stop')
    await notifyOrganizers(turn, 'notice-guardian', { title: file.test.title })
    return true
  }
  child.guardian = true
  await turn.close(turn.t('guardian-agreed'))
  saveFile(turn, file)
  await showBoard(turn, file)
  return true
}
