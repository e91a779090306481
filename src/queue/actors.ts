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
  here: ['timer', 'screen', 'notice', 'notices-due', 'reminder', 'expiry', 'stuck', 'roll'],
  service: ['submit', 'call', 'result', 'generation', 'survey', 'opening', 'batch'],
  visits: ['visit'],
  outside: ['event'],
} as const satisfies Record<string, readonly string[]>

export type ActorClass = keyof typeof kindsByClass
export type ActorKind = (typeof kindsByClass)[ActorClass][number]
export type JobKind = Exclude<ActorKind, 'chat'>

export const actorClassNames = [
  'chat',
  'here',
  'service',
  'visits',
  'outside',
] as const satisfies readonly ActorClass[]
export const actorKinds: readonly ActorKind[] = actorClassNames.flatMap((name) => [...kindsByClass[name]])

export const actorName = (kind: ActorKind, id: string): string => `${kind}:${id}`

/** The kind of an actor; `undefined` for a name that none of ours has. */
export function actorKind(actor: string): ActorKind | undefined {
  const kind = actor.slice(0, actor.indexOf(':'))
  return isActorKind(kind) ? kind : undefined
}

const isActorKind = (kind: string): kind is ActorKind => actorKinds.some((each) => each === kind)

/** The class that an actor's messages have their room in; whatever bears a name that is none of ours, the chats'. */
export const actorClass = (actor: string): ActorClass =>
  actorClassNames.find((name) => kindsByClass[name].some((kind) => kind === actorKind(actor))) ?? 'chat'

export const actorId = (actor: string): string => actor.slice(actor.indexOf(':') + 1)
