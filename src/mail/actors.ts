/**
 * Whose messages wait in a queue. An actor's name is its kind and an id: `chat:<who>`, `call:<S>:<who>`, `submit:<S>` …
 * Each class has room of its own, so that no crowd of one keeps the others from being handled.
 *
 * | class | |
 * | --- | --- |
 * | chat | somebody looks at the chat: handled first |
 * | here | needs neither the chat nor the service, or only for a moment |
 * | service | may wait long for the API budget |
 * | visits | the same, for what nobody has claimed: anybody can make up links |
 */
export const actorClasses = {
  chat: 'chat',
  call: 'service',
  visit: 'visits',
  submit: 'service',
  result: 'service',
  generation: 'service',
  opening: 'service',
  batch: 'service',
  screen: 'here',
  reminder: 'here',
  expiry: 'here',
  timer: 'here',
  notice: 'here',
} as const

/** The kinds of each class, the class that is handled first before the others. */
export const kindsByClass = {
  chat: ['chat'],
  here: ['timer', 'screen', 'notice', 'reminder', 'expiry'],
  service: ['submit', 'call', 'result', 'generation', 'opening'],
  visits: ['visit'],
} as const satisfies Record<ActorClass, readonly ActorKind[]>

export type ActorClass = (typeof actorClasses)[ActorKind]
export const actorClassNames = Object.keys(kindsByClass) as ActorClass[]

export type ActorKind = keyof typeof actorClasses
export type JobKind = Exclude<ActorKind, 'chat'>

export const actorName = (kind: ActorKind, id: string): string => `${kind}:${id}`

/** The kind of an actor; `undefined` for a name that none of ours has. */
export function actorKind(actor: string): ActorKind | undefined {
  const kind = actor.slice(0, actor.indexOf(':'))
  return isActorKind(kind) ? kind : undefined
}

const isActorKind = (kind: string): kind is ActorKind => Object.hasOwn(actorClasses, kind)

export const actorId = (actor: string): string => actor.slice(actor.indexOf(':') + 1)
