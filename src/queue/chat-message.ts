import type { Update } from 'grammy/types'
import { z } from 'zod'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import { actorName } from './actors.ts'
import { type ChatEvent, chatEvent } from './events.ts'
import { bodyReader } from './job.ts'

/** Telegram's own words: grammY reads of it what it needs. */
const update = z.custom<Update>(
  (value) => typeof value === 'object' && value !== null && 'update_id' in value,
)

/** Which life of which process has met an update, and when: milliseconds that this life had lasted, by no clock. */
const arrival = z.object({ life: z.string(), at: z.number() })

/** What waits in a chat's queue. */
export const chatMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('update'), chatId: z.number(), update, arrival: arrival.optional() }),
  // What a call came to; `jobs/call-table.ts` knows what it can be, by its kind.
  z.object({
    type: z.literal('outcome'),
    chatId: z.number(),
    s: z.string(),
    id: z.string(),
    kind: z.string(),
    outcome: z.unknown(),
  }),
  z.object({ type: z.literal('event'), chatId: z.number(), s: z.string(), event: chatEvent }),
])
export type ChatMessage = z.infer<typeof chatMessage>

/** What a chat's handler is bound with (see `jobs/task.ts`). */
export const chatMail = bodyReader('chat', chatMessage)

export const chatActor = (who: string): string => actorName('chat', who)

/** Puts a message into a chat's queue, in the order of its others. */
export function postToChat(work: Pick<UnitOfWork, 'post'>, who: string, message: ChatMessage): void {
  work.post(chatActor(who), message)
}

/** Has a chat told of something about a record or roadmap. */
export function postEvent(
  work: Pick<UnitOfWork, 'post'>,
  { who, chatId }: { who: string; chatId: number },
  s: string,
  event: ChatEvent,
): void {
  postToChat(work, who, { type: 'event', chatId, s, event })
}
