import type { Update } from 'grammy/types'
import { z } from 'zod'
import { consent } from '../domain/assignee.ts'
import { isFields } from '../domain/fields.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import { actorName } from './actors.ts'
import { bodyReader } from './job.ts'

const event = <K extends string, F extends z.core.$ZodShape>(kind: K, fields: F) =>
  z.object({ kind: z.literal(kind), ...fields })

/** Why finished answers were not accepted: what the participant or the organizer has to do next. */
const submitRefusal = z.enum(['billing', 'key', 'profile', 'gone', 'bad_request', 'damaged', 'unlocked'])
export type SubmitRefusal = z.infer<typeof submitRefusal>

/** Why the analysis does not begin, or is not to be found any more. */
const generationRefusal = z.enum(['billing', 'key', 'gone', 'unfinished'])
export type GenerationRefusal = z.infer<typeof generationRefusal>

/** What background work, or another chat, tells a chat about a record or roadmap. */
export const chatEvent = z.discriminatedUnion('kind', [
  // The questionnaire is to be shown where it stands: in place of this message, or anew.
  event('redraw', {
    messageId: z.number().optional(),
    tries: z.number().optional(),
    // What a tap could not be told any more.
    word: z.string().optional(),
  }),
  // Somebody has answered again after half an hour or longer.
  event('back', {}),
  event('code-expired', { draftToken: z.string() }),
  // What was typed could soon not be deleted from the chat any more; or these messages, while Telegram failed.
  event('typed-old', { left: z.array(z.number()).optional(), until: z.number().optional() }),
  // An organizer has put right what the profile was refused for.
  event('profile-again', {}),
  // The organizer has opened what was waiting (status 0).
  event('opened', {}),
  // Another account has done something that the board of this roadmap shows.
  event('board-changed', {}),
  // A test that this account answers was finished elsewhere.
  event('overtaken', {}),
  // Whoever takes this role has finished the last test of theirs.
  event('role-finished', { role: z.number() }),
  event('report-due', {}),
  // The role was taken back before its tests were begun; its title, and the messages with typed data.
  event('unhanded', {
    role: z.string().optional(),
    typed: z.array(z.number()).optional(),
    by: z.literal('organizer').optional(),
  }),
  // Another person's own details have come, or are gone again.
  event('details', { role: z.number(), has: z.enum(['come', 'gone']) }),
  // The roadmap is registered, here or elsewhere; the messages with typed data.
  event('registered', { typed: z.array(z.number()) }),
  // This organizer wants it released: done in a step that says nothing, so that no chat that Telegram holds back comes
  // between what was read and what is kept.
  event('release', { for: z.enum(['same', 'other']) }),
  // What became of that.
  event('release-done', {
    word: z.enum([
      'release-same-done',
      'release-role-done',
      'release-mark-done',
      'release-again-done',
      'release-anew-done',
    ]),
    title: z.string(),
    code: z.string().optional(),
    // What another person may be invited to now.
    target: z.object({ kind: z.enum(['record', 'roadmap']), token: z.string() }).optional(),
  }),
  // An organizer has released it from this account, or it is part of a roadmap that was begun since; the messages with typed
  // data, and its other records.
  event('released', {
    title: z.string(),
    typed: z.array(z.number()),
    records: z.array(z.string()),
    isPart: z.literal(true).optional(),
  }),
  // What was released is this account's now.
  event('taken', {}),
  event('generating', { expectedMinutes: z.string().optional() }),
  event('generation-slow', {}),
  event('generation-refused', { code: generationRefusal }),
  event('generation-failed', { errors: z.array(z.string()) }),
  event('generated', {}),
  // Somebody who was asked on their own phone has answered for a minor.
  event('guardian', { answer: z.enum(['yes', 'no']), role: z.number().optional(), consent }),
  // An older store, put back, has this account as it was before it was forgotten.
  event('forgotten', {}),
  // No more lines for invitations have come for a while.
  event('lines', {}),
  event('remind', {}),
  event('submit-delayed', { isLong: z.literal(true).optional() }),
  // `isUncertain`: the store came back older, and nobody knows any more whether these answers were sent.
  event('submitted', { isUncertain: z.literal(true).optional() }),
  // The service has other answers, none of which were sent from here.
  event('submitted-elsewhere', {}),
  event('submit-refused', { code: submitRefusal }),
  event('delivered', { to: z.enum(['participant', 'organizer', 'both']) }),
  event('result-failed', {}),
  // Everything was delivered but the report, which the service refuses.
  event('report-missing', {}),
  // A message of this chat, or a job of it, failed for good and was set aside: the call that nothing comes of any more,
  // or the work that has ended without its last word; in which epoch of the account (earlier versions do not say).
  event('trouble', {
    epoch: z.number().optional(),
    call: z.string().optional(),
    isStalled: z.literal(true).optional(),
  }),
])
export type ChatEvent = z.infer<typeof chatEvent>
export type EventKind = ChatEvent['kind']
export type EventOf<K extends EventKind> = { [E in ChatEvent as E['kind']]: E }[K]

/** Telegram's own words: grammY reads of it what it needs. */
const update = z.custom<Update>((value) => isFields(value) && 'update_id' in value)

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
  z.object({
    type: z.literal('event'),
    chatId: z.number(),
    s: z.string(),
    event: chatEvent,
    // It was set aside once.
    isAgain: z.literal(true).optional(),
  }),
])
export type ChatMessage = z.infer<typeof chatMessage>

/** What a chat's handler is bound with (see `queue/job.ts`). */
export const chatMail = bodyReader('chat', chatMessage)

export const chatActor = (who: string): string => actorName('chat', who)

/** Puts a message into a chat's queue, in the order of its others. */
export function postToChat(work: UnitOfWork, who: string, message: ChatMessage): void {
  work.post(chatActor(who), message)
}

/** Has a chat told of something about a record or roadmap. */
export function postEvent(
  work: UnitOfWork,
  { who, chatId }: { who: string; chatId: number },
  s: string,
  event: ChatEvent,
): void {
  postToChat(work, who, { type: 'event', chatId, s, event })
}
