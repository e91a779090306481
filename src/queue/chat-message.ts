import type { Update } from 'grammy/types'
import { z } from 'zod'
import { consent } from '../domain/assignee.ts'
import { isFields } from '../domain/fields.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import { actorName } from './actors.ts'
import { bodyReader } from './job.ts'

const event = <K extends string, F extends z.core.$ZodShape>(kind: K, fields: F) =>
  z.object({ kind: z.literal(kind), ...fields })

/** Why finished answers were not accepted; it decides what the participant or the organizer has to do. */
const submitRefusal = z.enum(['billing', 'key', 'profile', 'gone', 'bad_request', 'damaged', 'unlocked'])
export type SubmitRefusal = z.infer<typeof submitRefusal>

/** Why the analysis cannot begin, or no longer exists. */
const generationRefusal = z.enum(['billing', 'key', 'gone', 'unfinished'])
export type GenerationRefusal = z.infer<typeof generationRefusal>

/** Events about a record or roadmap that a job, or another chat, posts to a chat. */
export const chatEvent = z.discriminatedUnion('kind', [
  // Show the current question: in place of this message, or as a new one.
  event('redraw', {
    messageId: z.number().optional(),
    tries: z.number().optional(),
    // A notice that came too late to answer the tap.
    word: z.string().optional(),
    // Nobody has tapped: the question is shown again after an outage.
    isUnasked: z.literal(true).optional(),
  }),
  // The participant has answered again after half an hour or longer.
  event('back', {}),
  event('code-expired', { draftToken: z.string() }),
  // Telegram soon no longer deletes typed data from the chat. `left`: messages that it has failed to delete.
  event('typed-old', { left: z.array(z.number()).optional(), until: z.number().optional() }),
  // An organizer has settled the reason why the profile was refused.
  event('profile-again', {}),
  // The organizer has opened the record or roadmap that was waiting (status 0).
  event('opened', {}),
  // Another account has changed something that the board of this roadmap shows.
  event('board-changed', {}),
  // A test that this account answers was finished elsewhere.
  event('overtaken', {}),
  // The account with this role has finished the last test of the role.
  event('role-finished', { role: z.number() }),
  event('report-due', {}),
  // The role was taken back before its tests began. `role`: its title; `typed`: messages with typed data.
  event('unhanded', {
    role: z.string().optional(),
    typed: z.array(z.number()).optional(),
    by: z.literal('organizer').optional(),
  }),
  // Another account has entered the details of its person, or they are gone again.
  event('details', { role: z.number(), has: z.enum(['come', 'gone']) }),
  // The roadmap is registered, here or elsewhere. `typed`: messages with typed data.
  event('registered', { typed: z.array(z.number()) }),
  // This organizer wants it released. The step of the release sends nothing, so that no chat that Telegram
  // holds back delays its commit.
  event('release', { for: z.enum(['same', 'other']) }),
  // The outcome of a `release`.
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
    // The record or roadmap that another person may be invited to now.
    target: z.object({ kind: z.enum(['record', 'roadmap']), token: z.string() }).optional(),
  }),
  // An organizer has released it from this account, or it is part of a roadmap that was begun since
  // (`isPart`). `typed`: messages with typed data; `records`: its other records.
  event('released', {
    title: z.string(),
    typed: z.array(z.number()),
    records: z.array(z.string()),
    isPart: z.literal(true).optional(),
  }),
  // This account has taken over what was released.
  event('taken', {}),
  event('generating', { expectedMinutes: z.string().optional() }),
  event('generation-slow', {}),
  event('generation-refused', { code: generationRefusal }),
  event('generation-failed', { errors: z.array(z.string()) }),
  event('generated', {}),
  // The guardian of a minor has answered on their own phone.
  event('guardian', { answer: z.enum(['yes', 'no']), role: z.number().optional(), consent }),
  // A restored older store still has this account, which was forgotten since.
  event('forgotten', {}),
  // No further invitation lines have come for a while.
  event('lines', {}),
  event('remind', {}),
  event('submit-delayed', { isLong: z.literal(true).optional() }),
  // `isUncertain`: an older store was restored, so it is unknown whether these answers were sent.
  event('submitted', { isUncertain: z.literal(true).optional() }),
  // The service has answers that were not sent from here.
  event('submitted-elsewhere', {}),
  event('submit-refused', { code: submitRefusal }),
  event('delivered', { to: z.enum(['participant', 'organizer', 'both']) }),
  event('result-failed', {}),
  // Everything was delivered except the report, which the service has not given.
  event('report-missing', {}),
  // A message or job of this chat failed for good and was set aside. `call`: that call gets no outcome;
  // `isStalled`: the work gets no final event; `epoch`: that of the account (absent in earlier versions).
  event('trouble', {
    epoch: z.number().optional(),
    call: z.string().optional(),
    isStalled: z.literal(true).optional(),
  }),
])
export type ChatEvent = z.infer<typeof chatEvent>
export type EventKind = ChatEvent['kind']
export type EventOf<K extends EventKind> = { [E in ChatEvent as E['kind']]: E }[K]

/** An update as Telegram sent it: grammY reads what it needs. */
const update = z.custom<Update>((value) => isFields(value) && 'update_id' in value)

/** Which process run received an update, and when: milliseconds since that run began, not by the clock. */
const arrival = z.object({ life: z.string(), at: z.number() })

/** What waits in a chat's queue. */
export const chatMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('update'), chatId: z.number(), update, arrival: arrival.optional() }),
  // The outcome of a call; `jobs/call-table.ts` reads it by its kind.
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
    // It was set aside once and is tried again.
    isAgain: z.literal(true).optional(),
  }),
])
export type ChatMessage = z.infer<typeof chatMessage>

/** Reads the messages of a chat for its handler (see `queue/job.ts`). */
export const chatMail = bodyReader('chat', chatMessage)

export const chatActor = (who: string): string => actorName('chat', who)

/** Puts a message at the end of a chat's queue. */
export function postToChat(work: UnitOfWork, who: string, message: ChatMessage): void {
  work.post(chatActor(who), message)
}

/** Posts an event about a record or roadmap to a chat. */
export function postEvent(
  work: UnitOfWork,
  { who, chatId }: { who: string; chatId: number },
  s: string,
  event: ChatEvent,
): void {
  postToChat(work, who, { type: 'event', chatId, s, event })
}
