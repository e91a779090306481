/**
 * Whose messages wait in a queue. An actor's name is its kind and an id: `chat:<who>`, `call:<S>:<who>`, `submit:<S>` …
 *
 * | class | |
 * | --- | --- |
 * | chat | somebody looks at the chat: handled first |
 * | service | may wait long for the API budget, and takes no room from the chats |
 * | here | needs neither |
 */
export const actorClasses = {
  chat: 'chat',
  call: 'service',
  submit: 'service',
  result: 'service',
  generation: 'service',
  opening: 'service',
  screen: 'here',
  reminder: 'here',
  expiry: 'here',
  timer: 'here',
  notice: 'here',
} as const

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
