import type { ChatEvent } from './chat.ts'
import type { EmulatorState, PersonState, StoredMessage } from './state.ts'
import type { WireChat, WireUser } from './wire.ts'

/** The emulator's memory with its clock and those who watch it. */
export type World = {
  readonly state: EmulatorState
  /** Milliseconds since 1970. */
  now(): number
  /** Grows with everything that happens; `settled` waits until it rests. */
  readonly activity: number
  /** Hears of everything that happens. Returns how to end it. */
  onStir(listener: () => void): () => void
  /** Something happened that needs no saving. */
  stir(): void
  /** The state was changed: it is to be saved. */
  changed(): void
  publish(personId: number, event: ChatEvent): void
  watch(personId: number, listener: (event: ChatEvent) => void): () => void
  /** Hears what happens to everybody. */
  watchAll(listener: (personId: number, event: ChatEvent) => void): () => void
}

export type WorldOptions = { state: EmulatorState; now: () => number; onChange?: (() => void) | undefined }

/** Everything that the methods and the people share. */
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

/** A private chat has the person's id. */
export function privateChat(person: PersonState): WireChat {
  return {
    id: person.id,
    type: 'private',
    first_name: person.firstName,
    ...(person.lastName ? { last_name: person.lastName } : {}),
    ...(person.username ? { username: person.username } : {}),
  }
}
