import type { QueuedUpdate } from './state.ts'
import type { UpdateKind, WireUpdateBody } from './wire.ts'
import type { World } from './world.ts'

/** How long an update waits for the bot: a day, or 150 s for a tap. */
const LIFE_MS: Record<UpdateKind, number> = {
  message: 86_400_000,
  edited_message: 86_400_000,
  my_chat_member: 86_400_000,
  callback_query: 150_000,
}

export type UpdateQueue = ReturnType<typeof createUpdateQueue>

/** The updates that the bot has not confirmed yet, oldest first. */
export function createUpdateQueue(world: World) {
  const { state } = world
  const listeners = new Set<() => void>()

  /** Allowed updates are checked when an update is made, not when it is fetched. */
  function isAllowed(kind: UpdateKind): boolean {
    return state.allowedUpdates.length === 0 || state.allowedUpdates.includes(kind)
  }

  return {
    /** Adds an update; a webhook gets the updates of one `queue` strictly one after the other. */
    add<K extends UpdateKind>(kind: K, body: WireUpdateBody[K], queue: string): void {
      if (!isAllowed(kind)) return
      const update = { update_id: ++state.counters.update, [kind]: structuredClone(body) }
      state.updates.push({ update, queue, expiresAt: world.now() + LIFE_MS[kind] })
      world.changed()
      for (const listener of listeners) listener()
    },
    pending(): readonly QueuedUpdate[] {
      const now = world.now()
      if (state.updates.some((queued) => queued.expiresAt <= now)) {
        state.updates = state.updates.filter((queued) => queued.expiresAt > now)
        world.changed()
      }
      return state.updates
    },
    has(updateId: number): boolean {
      return state.updates.some(({ update }) => update.update_id === updateId)
    },
    /** Removes the updates for which `done` is true. */
    remove(done: (updateId: number) => boolean): void {
      const left = state.updates.filter(({ update }) => !done(update.update_id))
      if (left.length === state.updates.length) return
      state.updates = left
      world.changed()
    },
    /** An empty list is Telegram's default set, which includes every kind that the emulator makes. */
    allow(kinds: string[]): void {
      state.allowedUpdates = kinds
      world.changed()
    },
    onAdded(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
