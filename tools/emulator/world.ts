import type { ChatEvent } from './chat.ts'
import type { EmulatorState, PersonState, StoredMessage } from './state.ts'
import type { WireChat, WireUser } from './wire.ts'

/** The emulator's state with its clock and its watchers. */
export type World = {
  readonly state: EmulatorState
  /** Milliseconds since 1970. */
  now(): number
  /** Grows with every activity; `settled` waits until it stops growing. */
  readonly activity: number
  /** Calls the listener at every activity. Returns a function that ends this. */
  onStir(listener: () => void): () => void
  /** Reports activity that needs no saving. */
  stir(): void
  /** Reports that the state has changed and has to be saved. */
  changed(): void
  publish(personId: number, event: ChatEvent): void
  watch(personId: number, listener: (event: ChatEvent) => void): () => void
  /** Calls the listener at the events of all chats. */
  watchAll(listener: (personId: number, event: ChatEvent) => void): () => void
}

export type WorldOptions = { state: EmulatorState; now: () => number; onChange?: (() => void) | undefined }

/** The state and the channels that the methods and the people share. */
export function createWorld({ state, now, onChange }: WorldOptions): World {
  const watchers = new Map<number, Set<(event: ChatEvent) => void>>()
  const watchersOfAll = new Set<(personId: number, event: ChatEvent) => void>()
  const listeners = new Set<() => void>()
  let activity = 0

  function stir(): void {
    activity++
    for (const listener of listeners) listener()
  }

  return {
    state,
    now,
    get activity() {
      return activity
    },
    onStir(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stir,
    changed() {
      stir()
      onChange?.()
    },
    publish(personId, event) {
      for (const listener of watchers.get(personId) ?? []) listener(event)
      for (const listener of watchersOfAll) listener(personId, event)
    },
    watch(personId, listener) {
      const listeners = watchers.get(personId) ?? new Set()
      watchers.set(personId, listeners.add(listener))
      return () => listeners.delete(listener)
    },
    watchAll(listener) {
      watchersOfAll.add(listener)
      return () => watchersOfAll.delete(listener)
    },
  }
}

export const toSeconds = (ms: number) => Math.floor(ms / 1000)

/** The person with this id. */
export function findPerson(world: World, id: number): PersonState | undefined {
  return world.state.people.find((person) => person.id === id)
}

/** The messages of a chat, oldest first. */
export function messagesOf(world: World, chatId: number): StoredMessage[] {
  const known = world.state.messages[chatId]
  if (known) return known
  const fresh: StoredMessage[] = []
  world.state.messages[chatId] = fresh
  return fresh
}

/** A message of a chat that has not been deleted. */
export function findMessage(world: World, chatId: number, messageId: number): StoredMessage | undefined {
  return world.state.messages[chatId]?.findLast(({ message }) => message.message_id === messageId)
}

/** The bot as Telegram describes it. */
export function botUser({ state: { bot } }: World): WireUser {
  return { id: bot.id, is_bot: true, first_name: bot.name, username: bot.username }
}

/** A person as Telegram describes them. */
export function personUser(person: PersonState): WireUser {
  return {
    id: person.id,
    is_bot: false,
    first_name: person.firstName,
    ...(person.lastName ? { last_name: person.lastName } : {}),
    ...(person.username ? { username: person.username } : {}),
    language_code: person.languageCode,
  }
}

/** A private chat has the id of its person. */
export function privateChat(person: PersonState): WireChat {
  return {
    id: person.id,
    type: 'private',
    first_name: person.firstName,
    ...(person.lastName ? { last_name: person.lastName } : {}),
    ...(person.username ? { username: person.username } : {}),
  }
}
