import { randomInt } from 'node:crypto'
import { chatActor } from '../background/actors.ts'
import { recordFiles, roleInvitations } from '../background/kinds.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { type Hand, handOf, type RoadmapRole, recordsOf } from '../domain/roadmap.ts'
import { handIntroductionView, handInvitationView } from '../views/hand-over.ts'
import { guardianView } from '../views/profile.ts'
import { canHandOver, isUntouched, showBoard, tellOthers, testsOf } from './board.ts'
import { ownHand, saveFile } from './files.ts'
import { notifyOrganizers } from './notify-organizers.ts'
import { tell } from './say.ts'
import type { Turn } from './turn.ts'

const DAY_MS = 86_400_000
const CODE_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
const CODE_LENGTH = 12

/** Gives a role's tests to another account: an invitation that the participant forwards. */
export async function handOver(turn: Turn, file: RecordFile, roleId: number): Promise<void> {
  const { roadmap } = file
  const role = roadmap?.roles.find(({ id }) => id === roleId)
  if (!roadmap || !role || file.owner !== turn.who || roadmap.roles.length < 2)
    return tell(turn, 'button-old')
  const tests = await testsOf(turn, roadmap, roleId)
  const known = handOf(roadmap, roleId)
  if (!known && !canHandOver(tests)) return tell(turn, 'hand-begun')
  const code = known?.code ?? newCode()
  if (!known) {
    const finishedBefore = tests.filter(({ state }) => state.kind === 'finished').length
    roadmap.hands.push({ role: roleId, code, finishedBefore })
    saveFile(turn, file)
    const { retentionDays } = turn.deps.config
    turn.work.put(
      roleInvitations,
      hashCode(turn, code),
      { s: file.s, role: roleId },
      turn.now + retentionDays * DAY_MS,
    )
  }
  const link = `https://t.me/${turn.deps.username}?start=i_${code}`
  await turn.say(handInvitationView(turn.t, { role: role.title, title: file.test.title, link }))
  await showBoard(turn, file)
}

/** Takes a role back, as long as its tests are not begun there. */
export async function takeBack(turn: Turn, file: RecordFile, roleId: number): Promise<void> {
  const { roadmap } = file
  const hand = roadmap && handOf(roadmap, roleId)
  if (!roadmap || !hand || file.owner !== turn.who) return tell(turn, 'button-old')
  if (!isUntouched(await testsOf(turn, roadmap, roleId), hand.finishedBefore))
    return tell(turn, 'unhand-begun')
  roadmap.hands = roadmap.hands.filter(({ role }) => role !== roleId)
  turn.work.remove(roleInvitations, hashCode(turn, hand.code))
  await giveRecords(turn, file, roleId, turn.who)
  saveFile(turn, file)
  const { who, chatId } = hand
  if (who !== undefined && chatId !== undefined) {
    turn.work.post(chatActor(who), { type: 'event', chatId, s: file.s, event: { kind: 'unhanded' } })
  }
  await showBoard(turn, file)
}

/** Opens an invitation code: what the role's tests are and who receives the report. */
export async function openRoleInvitation(turn: Turn, code: string): Promise<void> {
  const { account, work } = turn
  const invitation = await work.get(roleInvitations, hashCode(turn, code))
  const kept = invitation && (await work.get(recordFiles, invitation.s))
  const hand = kept?.roadmap && handOf(kept.roadmap, invitation?.role ?? 0)
  if (!kept || !hand || hand.code !== code) return tell(turn, 'invitation-unknown')
  const isTaken = hand.who !== undefined && hand.who !== turn.who
  if (isTaken || kept.owner === turn.who) return tell(turn, isTaken ? 'invitation-used' : 'hand-own')
  account.invited = { ...account.invited, [kept.s]: code }
  account.focus = kept.s
  account.items = [...account.items.filter((s) => s !== kept.s), kept.s]
  await showHandedPlace(turn, structuredClone(kept))
}

/** Leads an account that was given a role to where it stands. `false` when the roadmap itself has to say. */
export async function showHandedPlace(turn: Turn, file: RecordFile): Promise<boolean> {
  const hand = ownHand(turn, file)
  const role = file.roadmap?.roles.find(({ id }) => id === hand?.role)
  if (!file.roadmap || !hand || !role) return false
  const { organizerName, resultTo } = turn.deps.config
  if (hand.who === undefined) {
    const tests = recordsOf(file.roadmap, role.id).map(({ title }) => title)
    const { s, test } = file
    await turn.ask(
      handIntroductionView(turn.t, {
        s,
        title: test.title,
        role: role.title,
        tests,
        organizerName,
        resultTo,
      }),
    )
    return true
  }
  if (!needsGuardian(hand, role)) return false
  await turn.ask(guardianView(turn.t, { name: role.title, limits: role.limits }))
  return true
}

const needsGuardian = (hand: Hand, role: RoadmapRole): boolean => role.isMinor === true && !hand.guardian

/** Consent on the introduction of a role: its tests belong to this account from here on. */
export async function acceptRole(turn: Turn, file: RecordFile): Promise<void> {
  const hand = ownHand(turn, file)
  if (!hand) return tell(turn, 'invitation-used')
  if (hand.who === undefined) {
    Object.assign(hand, {
      who: turn.who,
      chatId: turn.account.chatId,
      language: turn.language,
      consentAt: turn.now,
    })
    await giveRecords(turn, file, hand.role, turn.who)
    saveFile(turn, file)
    tellOthers(turn, file)
  }
  if (!(await showHandedPlace(turn, file))) await showBoard(turn, file)
}

/** The guardian's answer for a child's own account. */
export async function answerGuardian(turn: Turn, file: RecordFile, agrees: boolean): Promise<boolean> {
  const hand = ownHand(turn, file)
  const role = file.roadmap?.roles.find(({ id }) => id === hand?.role)
  if (!hand?.who || !role || !needsGuardian(hand, role)) return false
  if (!agrees) {
    await tell(turn, 'guardian-stop')
    await notifyOrganizers(turn, 'notice-guardian', { title: file.test.title })
    return true
  }
  hand.guardian = true
  saveFile(turn, file)
  await showBoard(turn, file)
  return true
}

async function giveRecords(turn: Turn, file: RecordFile, role: number, who: string): Promise<void> {
  for (const { s, isFinished } of file.roadmap ? recordsOf(file.roadmap, role) : []) {
    const record = await turn.work.get(recordFiles, s)
    if (record && !isFinished) saveFile(turn, { ...record, owner: who })
  }
}

const newCode = (): string => {
  // At least one letter, so that a code is never taken for a number (contract, Invitations).
  const letters = Array.from(
    { length: CODE_LENGTH },
    () => CODE_LETTERS[randomInt(CODE_LETTERS.length)] ?? 'a',
  )
  return /[a-z]/.test(letters.join('')) ? letters.join('') : newCode()
}

const hashCode = (turn: Turn, code: string): string => turn.deps.vault.hash('invitation', code)
