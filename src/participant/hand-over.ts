import { isMine } from '../dialog/access.ts'
import { sendText } from '../dialog/notify.ts'
import type { Turn } from '../dialog/turn.ts'
import { isIn as isAssignee } from '../domain/assignee.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { move, recordPutBack } from '../domain/record/transitions.ts'
import { roleLabel } from '../domain/record/whose.ts'
import { handOf, recordsOf } from '../domain/roadmap.ts'
import { postEvent } from '../queue/chat-message.ts'
import { invitations, newCode } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/keys.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { handInvitationView } from '../views/hand-over.ts'
import { showBoard } from './board.ts'
import { canHandOver, isUntouched, testsOf } from './board-tests.ts'

/** Gives a role's tests to another account: an invitation that the participant forwards. */
export async function handOver(turn: Turn, file: RecordFile, roleId: number): Promise<void> {
  const { roadmap } = file
  const role = roadmap?.roles.find(({ id }) => id === roleId)
  if (!roadmap || !role || roadmap.roles.length < 2 || !(await isMine(turn, file)))
    return sendText(turn, 'button-old')
  const tests = await testsOf(turn, file, roleId)
  const known = handOf(roadmap, roleId)
  if (!known && !canHandOver(tests)) {
    await sendText(turn, 'hand-begun')
    return showBoard(turn, file)
  }
  const code = known?.code ?? newCode()
  if (!known) {
    const finishedBefore = tests.filter(({ standing }) => standing.at === 'done').length
    roadmap.hands.push({ role: roleId, code, finishedBefore, assignee: { is: 'invited' } })
    turn.work.put(invitations, hashCode(turn, code), { s: file.s, role: roleId })
  }
  const link = `https://t.me/${turn.deps.username}?start=i_${code}`
  await showBoard(turn, file)
  await turn.send({ text: turn.t('hand-forward', { role: roleLabel(role) }) })
  // Stands last, to be sent on at once.
  await turn.send(handInvitationView(turn.t, { role: role.title, title: file.test.title, link }))
}

/** Takes a role back, as long as its tests are not begun there. */
export async function takeBack(turn: Turn, file: RecordFile, roleId: number): Promise<void> {
  const { roadmap } = file
  const hand = roadmap && handOf(roadmap, roleId)
  if (!roadmap || !hand || !(await isMine(turn, file))) return sendText(turn, 'button-old')
  if (!isUntouched(await testsOf(turn, file, roleId), hand.finishedBefore)) {
    await sendText(turn, 'unhand-begun')
    return showBoard(turn, file)
  }
  roadmap.hands = roadmap.hands.filter(({ role }) => role !== roleId)
  turn.work.remove(invitations, hashCode(turn, hand.code))
  await giveRecords(turn, file, roleId)
  const { assignee } = hand
  if (isAssignee(assignee, 'taken', 'over') && assignee.chatId !== undefined)
    postEvent(turn.work, { who: assignee.who, chatId: assignee.chatId }, file.s, { kind: 'unhanded' })
  await showBoard(turn, file)
}

/** The tests of a role that are not finished are answered by another account from here on. */
export async function giveRecords({ work }: Turn, { roadmap }: RecordFile, role: number): Promise<void> {
  for (const { s, isFinished } of roadmap ? recordsOf(roadmap, role) : []) {
    const record = await work.get(recordFiles, s)
    if (!record || isFinished) continue
    giveRecord(record)
    // What is under way for the account before is not kept.
    await work.touch(recordFiles, s)
  }
}

/** Another account answers a record of a roadmap from its beginning, or nobody until somebody is found. */
export function giveRecord(record: RecordFile): void {
  if (!isIn(record, 'done')) move(record, recordPutBack)
}

/** The code of an invitation is kept as its hash. */
export const hashCode = (turn: Turn, code: string): string => codeKey(turn.deps.vault, code)
