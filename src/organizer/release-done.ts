import { isOrganizer } from '../dialog/organizer.ts'
import type { Turn } from '../dialog/turn.ts'
import { postEvent } from '../queue/chat-message.ts'
import type { EventOf } from '../queue/events.ts'
import { invitations, isMade } from '../storage/documents/invitations.ts'
import { codeKey } from '../storage/documents/keys.ts'
import { showInvitation } from './show-invitation.ts'

/** Has it said what became of a release, when that is kept. */
export function notifyDone(turn: Turn, s: string, done: Omit<EventOf<'release-done'>, 'kind'>): void {
  const { work, who, account } = turn
  postEvent(work, { who, chatId: account.chatId }, s, { kind: 'release-done', ...done })
}

/** Says so, and shows the invitation that leads on. */
export async function releaseDone(turn: Turn, { word, title, code }: EventOf<'release-done'>): Promise<void> {
  if (!isOrganizer(turn)) return
  await turn.send({ text: turn.t(word, { title }) })
  const made = code && (await turn.work.get(invitations, codeKey(turn.deps.vault, code)))
  if (made && isMade(made)) await showInvitation(turn, made)
}
