import { z } from 'zod'
import { traceOf } from '../observe/logger.ts'
import { kindOf } from '../storage/store.ts'

export const actorClassNames = ['chat', 'here', 'service', 'visits', 'outside'] as const
export type ActorClass = (typeof actorClassNames)[number]

/**
 * Whose messages wait in a queue. An actor's name is its kind and an id: `chat:<who>`, `call:<S>:<who>`, `submit:<S>` …
 * Each class has room of its own, so that no crowd of one keeps the others from being handled; the kinds of a class that
 * is handled first stand before the others.
 *
 * | class | |
 * | --- | --- |
 * | chat | somebody looks at the chat: handled first |
 * | here | needs neither the chat nor the service, or only for a moment |
 * | service | may wait long for the API budget |
 * | visits | the same, for what nobody has claimed: anybody can make up links |
 * | outside | waits for somebody's own software, as slow as that may be |
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

/** The kind of an actor; `undefined` for a name that none of ours has. */
export const actorKind = (actor: string): ActorKind | undefined =>
  actorKinds.find((kind) => kind === kindOf(actor))

/** The class that an actor's messages have their room in; whatever bears a name that is none of ours, the chats'. */
export const actorClass = (actor: string): ActorClass =>
  actorClassNames.find((name) => kindsByClass[name].some((kind) => kind === actorKind(actor))) ?? 'chat'

export const actorId = (actor: string): string => actor.slice(actor.indexOf(':') + 1)

const message = z.object({
  type: z.string().optional(),
  onBehalf: z.object({ who: z.string() }).optional(),
  update: z.looseObject({}).optional(),
  event: z.object({ kind: z.string() }).optional(),
  call: z.object({ kind: z.string() }).optional(),
  kind: z.string().optional(),
})

/** What the log says of a message: whose account it is about, as a trace, and what kind of message it is. */
export function traceMessage(actor: string, body: unknown): { trace: string; kind: string | undefined } {
  const { data: found } = message.safeParse(body)
  const who = actorKind(actor) === 'chat' ? actorId(actor) : (found?.onBehalf?.who ?? actorId(actor))
  const update = found?.update && Object.keys(found.update).find((key) => key !== 'update_id')
  return { trace: traceOf(who), kind: update ?? found?.event?.kind ?? found?.call?.kind ?? found?.kind }
}
