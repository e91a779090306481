import type { UnitOfWork } from '../store/unit-of-work.ts'
import { type ChatEvent, type ChatMessage, chatActor } from './actors.ts'

/** Has a chat told of something about a record or roadmap, in the order of its other messages. */
export function postEvent(
  work: Pick<UnitOfWork, 'post'>,
  { who, chatId }: { who: string; chatId: number },
  s: string,
  event: ChatEvent,
): void {
  work.post(chatActor(who), { type: 'event', chatId, s, event } satisfies ChatMessage)
}
