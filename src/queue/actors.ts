import { z } from 'zod'
import { traceOf } from '../observe/logger.ts'
import { kindOf } from '../storage/store.ts'

export const actorClassNames = ['chat', 'here', 'service', 'visits', 'outside'] as const
export type ActorClass = (typeof actorClassNames)[number]

/**
 * The kinds of actors by class. An actor has a queue of messages; its name is its kind and an id:
 * `chat:<who>`, `call:<S>:<who>`, `submit:<S>` … Each class has its own limit of messages in work, so that no
 * class delays another. The worker claims kinds in the order in which they stand here.
 *
 * | class | |
 * | --- | --- |
 * | chat | a person waits for a reply: claimed first |
 * | here | needs neither the chat nor the service for more than a moment |
 * | service | may wait long for the API budget |
 * | visits | like `service`, for records that no account has claimed: anyone can invent links |
 * | outside | waits for an organizer's own software, which may be slow |
 */
export const kindsByClass = {
  chat: ['chat'],
  here: [
    'timer',
    'screen',
    'notice',
    'notices-due',
    'reminder',
    'expiry',
    'stuck',
    'recount',
    'digest',
    'act',
    'question',
  ],
  service: ['submit', 'call', 'result', 'generation', 'survey', 'opening', 'batch', 'results'],
  visits: ['visit'],
  outside: ['event'],
} as const satisfies Record<ActorClass, readonly string[]>

export type ActorKind = (typeof kindsByClass)[ActorClass][number]
export type JobKind = Exclude<ActorKind, 'chat'>

export const actorKinds: readonly ActorKind[] = actorClassNames.flatMap((name) => [...kindsByClass[name]])

export const actorName = (kind: ActorKind, id: string): string => `${kind}:${id}`

/** The kind of an actor; `undefined` for an unknown name. */
export function actorKind(actor: string): ActorKind | undefined {
  const known = kindOf(actor)
  return actorKinds.find((kind) => kind === known)
}

/** The class of an actor; an unknown name counts as a chat. */
export function actorClass(actor: string): ActorClass {
  const known = kindOf(actor)
  return actorClassNames.find((name) => kindsByClass[name].some((kind) => kind === known)) ?? 'chat'
}

export const actorId = (actor: string): string => actor.slice(actor.indexOf(':') + 1)

const message = z.object({
  type: z.string().optional(),
  onBehalf: z.object({ who: z.string() }).optional(),
  update: z.looseObject({}).optional(),
  event: z.object({ kind: z.string() }).optional(),
  call: z.object({ kind: z.string() }).optional(),
  kind: z.string().optional(),
})

/** What the log shows of a message: the trace of its account, and the kind of the message. */
export function traceMessage(actor: string, body: unknown): { trace: string; kind: string | undefined } {
  const { data: found } = message.safeParse(body)
  const who = actorKind(actor) === 'chat' ? actorId(actor) : (found?.onBehalf?.who ?? actorId(actor))
  const update = found?.update && Object.keys(found.update).find((key) => key !== 'update_id')
  return { trace: traceOf(who), kind: update ?? found?.event?.kind ?? found?.call?.kind ?? found?.kind }
}
