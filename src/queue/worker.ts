import { onceAMinute } from '../observe/logger.ts'
import { within } from '../observe/within.ts'
import { type ActorClass, actorClass, actorClassNames, kindsByClass } from './actors.ts'
import { type ClaimDeps, handleClaim } from './handle-claim.ts'
import { LEASE_MS, StoppingError } from './lease.ts'
import type { Suspects } from './suspects.ts'

export type Worker = ReturnType<typeof createWorker>

const LOOK_MS = 500
/** How many messages of a class are handled at a time. */
const ROOM: Readonly<Record<ActorClass, number>> = {
  chat: 32,
  here: 32,
  service: 2_000,
  visits: 2_000,
  outside: 16,
}
/** What is not done so long after a stop is aborted and put back; what does not listen is left to its lease. */
const STOP_MS = { grace: 4_000, putBack: 1_500 }

/**
 * Claims actors whose message is due and hands it to the handler of their kind. A handler that throws is tried
 * again with back-off; then `setAside` keeps the message out of the way and tells whom it concerns.
 */
export function createWorker(
  deps: Omit<ClaimDeps, 'isStopped' | 'suspects'> & {
    suspects: Suspects
    room?: Partial<Record<ActorClass, number>>
  },
) {
  const { store, log, suspects } = deps
  const places = createPlaces({ ...ROOM, ...deps.room })
  let stopped = false
  let looking = false
  let checkAgain = false
  let current = Promise.resolve()
  const attempts: ClaimDeps = { ...deps, isStopped: () => stopped }
  const onRefused = onceAMinute((err) => log.error({ err }, 'store does not hand out work'))
  const timer = setInterval(() => look(), LOOK_MS)
  const waiting: (() => void)[] = []
  /** How many messages are being handled, counting a look for more. */
  const busy = () => places.taken + (looking ? 1 : 0)
  /** Resolves as soon as nothing is being handled. */
  const idle = async () => {
    if (busy() > 0) await new Promise<void>((resolve) => void waiting.push(resolve))
  }

  function look(): void {
    if (looking) checkAgain = true
    else current = checkNow()
  }

  async function checkNow(): Promise<void> {
    looking = true
    try {
      do {
        checkAgain = false
        while (!stopped && (await claimOne()) === 'begun');
      } while (checkAgain && !stopped)
    } catch (err) {
      onRefused(err)
    } finally {
      looking = false
      // Whatever ends is followed by a look, so that rest always begins here.
      if (busy() === 0) for (const resolve of waiting.splice(0)) resolve()
    }
  }

  async function claimOne(): Promise<'begun' | 'nothing due'> {
    const kinds = suspects.isBusy() ? [] : places.wanted()
    const claim = kinds.length > 0 ? await store.claim(LEASE_MS, kinds) : undefined
    if (!claim) return 'nothing due'
    const place = places.take(actorClass(claim.actor))
    void handleClaim(attempts, claim, place.abort).finally(() => {
      place.leave()
      look()
    })
    return 'begun'
  }

  suspects.watch({ working: () => places.taken, wake: look })
  look()
  return {
    /** Looks for messages at once, not at the next look. */
    wake: () => look(),
    ...{ busy, idle },
    /** Takes nothing new, waits a while for what is being handled, and puts back what is not done by then. */
    async stop() {
      stopped = true
      clearInterval(timer)
      await current
      if (await within(STOP_MS.grace, idle())) return
      places.abort(new StoppingError('this process stops'))
      if (!(await within(STOP_MS.putBack, idle()))) log.warn({}, 'stopped in the middle')
    },
  }
}

/** The messages that are being handled, those of each class in their room. */
function createPlaces(room: Readonly<Record<ActorClass, number>>) {
  const running: Record<ActorClass, number> = { chat: 0, here: 0, service: 0, visits: 0, outside: 0 }
  const underWay = new Set<AbortController>()

  return {
    get taken() {
      return underWay.size
    },
    /** What there is room for, chats first. */
    wanted: () => actorClassNames.flatMap((name) => (running[name] < room[name] ? kindsByClass[name] : [])),
    take(name: ActorClass) {
      const abort = new AbortController()
      running[name] += 1
      underWay.add(abort)
      const leave = () => {
        running[name] -= 1
        underWay.delete(abort)
      }
      return { abort, leave }
    },
    abort(reason: Error): void {
      for (const each of underWay) each.abort(reason)
    },
  }
}
