import { parentOf } from '../chat/files.ts'
import type { Turn } from '../chat/turn.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { membersOf } from '../domain/roadmap.ts'
import { postEvent } from '../mail/chat-message.ts'

/** Tells the other accounts of a roadmap that their board shows something new. */
export function tellOthers(turn: Turn, file: RecordFile): void {
  tellMembers(turn, file, (who) => who !== turn.who)
}

/** Has every board brought up to date that shows this record of a roadmap, the own one too. */
export async function recordChanged(turn: Turn, file: RecordFile): Promise<void> {
  const parent = await parentOf(turn, file)
  if (parent) tellMembers(turn, parent, () => true)
}

function tellMembers(
  turn: Turn,
  { s, roadmap, owner: who, chatId }: RecordFile,
  isTold: (who: string) => boolean,
): void {
  for (const member of roadmap ? membersOf(roadmap, { who, chatId }) : []) {
    if (isTold(member.who)) postEvent(turn.work, member, s, { kind: 'board-changed' })
  }
}
