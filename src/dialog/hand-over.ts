import { randomInt } from 'node:crypto'
import { recordFiles, roleInvitations } from '../background/kinds.ts'
import { postEvent } from '../background/post-event.ts'
import { DAY_MS } from '../domain/durations.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { handOf, recordsOf } from '../domain/roadmap.ts'
import { handInvitationView } from '../views/hand-over.ts'
import { canHandOver, isUntouched, showBoard, testsOf } from './board.ts'
import { saveFile } from './files.ts'
import { tell } from './say.ts'
import type { Turn } from './turn.ts'

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
  if (!known && !canHandOver(tests)) {
    await tell(turn, 'hand-begun')
    return showBoard(turn, file)
  }
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
  await turn.say({ text: turn.t('hand-forward', { role: role.title }) })
  await turn.say(handInvitationView(turn.t, { role: role.title, title: file.test.title, link }))
  await showBoard(turn, file)
}

/** Takes a role back, as long as its tests are not begun there. */
export async function takeBack(turn: Turn, file: RecordFile, roleId: number): Promise<void> {
  const { roadmap } = file
  const hand = roadmap && handOf(roadmap, roleId)
  if (!roadmap || !hand || file.owner !== turn.who) return tell(turn, 'button-old')
  if (!isUntouched(await testsOf(turn, roadmap, roleId), hand.finishedBefore)) {
    await tell(turn, 'unhand-begun')
    return showBoard(turn, file)
  }
  roadmap.hands = roadmap.hands.filter(({ role }) => role !== roleId)
  turn.work.remove(roleInvitations, hashCode(turn, hand.code))
  await giveRecords(turn, file, roleId, turn.who)
  saveFile(turn, file)
  const { who, chatId } = hand
  if (who !== undefined && chatId !== undefined) {
    postEvent(turn.work, { who, chatId }, file.s, { kind: 'unhanded' })
  }
  await showBoard(turn, file)
}

/** The tests of a role that are not finished are answered by another account from here on. */
export async function giveRecords(turn: Turn, file: RecordFile, role: number, who: string): Promise<void> {
  for (const { s, isFinished } of file.roadmap ? recordsOf(file.roadmap, role) : []) {
    const record = await turn.work.get(recordFiles, s)
    if (record && !isFinished) saveFile(turn, { ...record, stage: 'new', owner: who })
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

/** The code of an invitation is kept as its hash. */
export const hashCode = (turn: Turn, code: string): string => turn.deps.vault.hash('invitation', code)
