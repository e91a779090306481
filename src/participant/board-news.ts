import { membersHere } from '../dialog/access.ts'
import { parentOf } from '../dialog/files.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { recordsOf } from '../domain/roadmap.ts'
import { postEvent } from '../queue/chat-message.ts'
import type { ChatEvent } from '../queue/events.ts'

const CHANGED: ChatEvent = { kind: 'board-changed' }

/** Tells the other accounts of a roadmap that their board shows something new. */
export function notifyOthers(ctx: UpdateContext, file: RecordFile, news: ChatEvent = CHANGED): Promise<void> {
  return notifyMembers(ctx, file, (who) => who !== ctx.who, news)
}

/** Tells the others that a test of this role was finished: aloud when it was the last one. */
export function notifyFinishedTest(ctx: UpdateContext, file: RecordFile, role: number): Promise<void> {
  const isLast = file.roadmap && recordsOf(file.roadmap, role).every(({ isFinished }) => isFinished)
  return notifyOthers(ctx, file, isLast ? { kind: 'role-finished', role } : CHANGED)
}

/** Has every board brought up to date that shows this record of a roadmap, the own one too. */
export async function recordChanged(ctx: UpdateContext, file: RecordFile): Promise<void> {
  const parent = await parentOf(ctx, file)
  if (parent) await notifyMembers(ctx, parent, () => true, CHANGED)
}

async function notifyMembers(
  ctx: UpdateContext,
  file: RecordFile,
  isTold: (who: string) => boolean,
  news: ChatEvent,
): Promise<void> {
  for (const member of await membersHere(ctx, file))
    if (isTold(member.who)) postEvent(ctx.work, member, file.s, news)
}
