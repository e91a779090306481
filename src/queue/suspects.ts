import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../observe/logger.ts'
import { type Claim, LOST_AMONG_OTHERS, type Store } from '../storage/store.ts'

/** How long others wait for a message that is alone. A later kill may be the fault of another message. */
const ALONE_MS = 10_000
/** How long a suspect waits for the messages in work to end. */
const QUIET_MS = 20_000
const CHECK_MS = 20

/** The message was begun three times and never ended, the last time with no other message in work. */
export class KillsError extends Error {
  override name = 'KillsError'
}

export type Suspects = ReturnType<typeof createSuspects>
type Deps = { store: Pick<Store, 'suspect'>; log: Log }
type Room = ReturnType<typeof createRoom>
type Suspect = { enter(): Promise<void>; rest(): Promise<void>; leave(): void }

/**
 * Finds the message that kills the process among those in work at the time. Messages whose last two claims
 * never ended are handled one at a time. A message that waits in line for a slot counts as not in work.
 */
export function createSuspects(deps: Deps) {
  const room = createRoom()

  return {
    /** Sets the worker: how many messages it handles, and how to wake it when it may claim again. */
    watch: room.watch,
    /** Whether no other message may be claimed now. */
    isBusy: () => room.turns > 0,
    /** What to do before and after a claimed message is handled. */
    of(claim: Claim): { begin(): Promise<void>; end(): void } {
      if (claim.message.lost < LOST_AMONG_OTHERS)
        return { begin: async () => undefined, end: () => undefined }
      const suspect = createSuspect(deps, room, claim)
      const entered = room.asWaiting(suspect.enter)
      return { begin: () => entered, end: suspect.leave }
    },
    /** Waits in line for a slot. A message that is alone lets others in, and then is alone again. */
    inLine: <T>(wait: () => Promise<T>): Promise<T> =>
      room.asWaiting(async () => {
        const own = room.alone
        await own?.rest()
        const slot = await wait()
        if (own) await own.enter()
        else while (room.turns > 0) await room.lastTurn
        return slot
      }),
  }
}

/** Holds who is in work: many messages at a time, or one alone. */
function createRoom() {
  let waiting = 0
  let worker = { working: () => 0, wake: () => {} }

  return {
    alone: undefined as Suspect | undefined,
    /** How many messages are alone, or wait to be. */
    turns: 0,
    lastTurn: Promise.resolve(),
    watch(watched: typeof worker): void {
      worker = watched
    },
    wake: () => worker.wake(),
    /** Whether all messages in work are waiting. */
    isQuiet: () => worker.working() - waiting <= 0,
    async asWaiting<T>(act: () => Promise<T>): Promise<T> {
      waiting += 1
      try {
        return await act()
      } finally {
        waiting -= 1
      }
    },
  }
}

function createSuspect({ store, log }: Deps, room: Room, claim: Claim): Suspect {
  let leave = () => {}
  let isIn = false
  const note = (isAlone: boolean) =>
    store.suspect(claim, isAlone).catch((err: unknown) => log.warn({ err }, 'suspect not noted'))

  /** Queues for being alone, until `leave` is called. */
  function takeTurn(): Promise<void> {
    const before = room.lastTurn
    let end = () => {}
    room.turns += 1
    const own = new Promise<void>((resolve) => {
      end = resolve
    })
    // A suspect may leave before those ahead of it in the queue.
    room.lastTurn = before.then(() => own)
    isIn = true
    leave = () => {
      leave = () => {}
      isIn = false
      if (room.alone === suspect) room.alone = undefined
      room.turns -= 1
      end()
      room.wake()
    }
    return before
  }

  const suspect: Suspect = {
    /** The caller counts this message as waiting meanwhile. */
    async enter(): Promise<void> {
      await takeTurn()
      for (let waited = 0; !room.isQuiet() && waited < QUIET_MS; waited += CHECK_MS) await delay(CHECK_MS)
      if (!isIn) return
      if (!room.isQuiet()) return leave()
      room.alone = suspect
      await note(true)
      setTimeout(() => void suspect.rest(), ALONE_MS).unref()
    },
    /** Lets others in. */
    async rest(): Promise<void> {
      if (room.alone !== suspect) return
      await note(false)
      leave()
    },
    leave: () => leave(),
  }
  return suspect
}
