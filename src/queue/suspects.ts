import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../observe/logger.ts'
import { type Claim, LOST_IN_COMPANY, type Store } from '../storage/store.ts'

/** So long others wait for one that is alone; of what kills later others may be the reason. */
const ALONE_MS = 10_000
/** So long one waits for what is being handled. */
const QUIET_MS = 20_000
const LOOK_MS = 20

/** It was begun three times and never came to an end, the last time with nothing else in work. */
export class KillsError extends Error {
  override name = 'KillsError'
}

export type Suspects = ReturnType<typeof createSuspects>
type Deps = { store: Pick<Store, 'suspect'>; log: Log }
type Room = ReturnType<typeof createRoom>
type Suspect = { enter(): Promise<void>; rest(): Promise<void>; leave(): void }

/**
 * Finds the message that kills the process among those that were in work with it. Those whose last two claims came to no
 * end are handled one at a time. Who waits in line for a slot does nothing meanwhile, and counts as not in work.
 */
export function createSuspects(deps: Deps) {
  const room = createRoom()

  return {
    /** Who handles messages: how many of them there are, and whom to wake when others may come in. */
    watch: room.watch,
    /** Whether nothing else may be claimed now. */
    isBusy: () => room.turns > 0,
    /** What is done before and after the handling of a claimed message. */
    of(claim: Claim): { begin(): Promise<void>; end(): void } {
      if (claim.message.lost < LOST_IN_COMPANY) return { begin: async () => undefined, end: () => undefined }
      const suspect = createSuspect(deps, room, claim)
      const entered = room.asWaiting(suspect.enter)
      return { begin: () => entered, end: suspect.leave }
    },
    /** Waits in line: the one that is alone lets others in meanwhile, and is alone again when its turn has come. */
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

/** Where messages are handled: many at a time, or one alone. */
function createRoom() {
  let waiting = 0
  let worker = { working: () => 0, wake: () => {} }

  return {
    alone: undefined as Suspect | undefined,
    /** How many are alone, or wait to be. */
    turns: 0,
    lastTurn: Promise.resolve(),
    watch(watched: typeof worker): void {
      worker = watched
    },
    wake: () => worker.wake(),
    /** Whether nobody is in work but who waits. */
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

  /** Stands in line for being alone; what is called at the end ends it. */
  function takeTurn(): Promise<void> {
    const before = room.lastTurn
    let end = () => {}
    room.turns += 1
    const own = new Promise<void>((resolve) => {
      end = resolve
    })
    // One may leave before those that stand ahead of it.
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
    /** Counted among those who wait meanwhile. */
    async enter(): Promise<void> {
      await takeTurn()
      for (let waited = 0; !room.isQuiet() && waited < QUIET_MS; waited += LOOK_MS) await delay(LOOK_MS)
      if (!isIn) return
      if (!room.isQuiet()) return leave()
      room.alone = suspect
      await note(true)
      setTimeout(() => void suspect.rest(), ALONE_MS).unref()
    },
    /** Others may come in. */
    async rest(): Promise<void> {
      if (room.alone !== suspect) return
      await note(false)
      leave()
    },
    leave: () => leave(),
  }
  return suspect
}
