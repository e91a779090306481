import { isMine } from '../dialog/access.ts'
import { sendText } from '../dialog/notify.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { isIn as isAssignee } from '../domain/assignee.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { move, recordPutBack } from '../domain/record/transitions.ts'
import { roleLabel } from '../domain/record/whose.ts'
import { assignmentOf, recordsOf } from '../domain/roadmap.ts'
import { postEvent } from '../queue/chat-message.ts'
import { invitations, newCode } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/keys.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import { roleInvitationView } from '../views/role-assignment.ts'
import { showBoard } from './board.ts'
import { canAssignRole, isUntouched, testsOf } from './board-tests.ts'

/** Gives a role's tests to another account: an invitation that the participant forwards. */
export async function assignRole(ctx: UpdateContext, file: RecordFile, roleId: number): Promise<void> {
  const { roadmap } = file
  const role = roadmap?.roles.find(({ id }) => id === roleId)
  if (!roadmap || !role || roadmap.roles.length < 2 || !(await isMine(ctx, file)))
    return sendText(ctx, 'button-old')
  const tests = await testsOf(ctx, file, roleId)
  const known = assignmentOf(roadmap, roleId)
  if (!known && !canAssignRole(tests)) {
    await sendText(ctx, 'hand-begun')
    return showBoard(ctx, file)
  }
  const code = known?.code ?? newCode()
  if (!known) {
    const finishedBefore = tests.filter(({ standing }) => standing.at === 'done').length
    roadmap.hands.push({ role: roleId, code, finishedBefore, assignee: { is: 'invited' } })
    ctx.work.put(invitations, hashCode(ctx, code), { s: file.s, role: roleId })
  }
  const link = `https://t.me/${ctx.deps.username}?start=i_${code}`
  await showBoard(ctx, file)
  await ctx.send({ text: ctx.t('hand-forward', { role: roleLabel(role) }) })
  // Stands last, to be sent on at once.
  await ctx.send(roleInvitationView(ctx.t, { role: role.title, title: file.test.title, link }))
}

/** Takes a role back, as long as its tests are not begun there. */
export async function takeBack(ctx: UpdateContext, file: RecordFile, roleId: number): Promise<void> {
  const { roadmap } = file
  const hand = roadmap && assignmentOf(roadmap, roleId)
  if (!roadmap || !hand || !(await isMine(ctx, file))) return sendText(ctx, 'button-old')
  if (!isUntouched(await testsOf(ctx, file, roleId), hand.finishedBefore)) {
    await sendText(ctx, 'unhand-begun')
    return showBoard(ctx, file)
  }
  roadmap.hands = roadmap.hands.filter(({ role }) => role !== roleId)
  ctx.work.remove(invitations, hashCode(ctx, hand.code))
  await giveRecords(ctx, file, roleId)
  const { assignee } = hand
  if (isAssignee(assignee, 'taken', 'over') && assignee.chatId !== undefined)
    postEvent(ctx.work, { who: assignee.who, chatId: assignee.chatId }, file.s, { kind: 'unhanded' })
  await showBoard(ctx, file)
}

/** The tests of a role that are not finished are answered by another account from here on. */
export async function giveRecords(
  { work }: UpdateContext,
  { roadmap }: RecordFile,
  role: number,
): Promise<void> {
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
export const hashCode = (ctx: UpdateContext, code: string): string => codeKey(ctx.deps.vault, code)
