import { actorClasses, actorKind } from '../mail/actors.ts'
import { type AttemptDeps, createAttempts, LEASE_MS } from './attempt.ts'

export { type Handler, handler, type JobEnd, type Task } from './task.ts'

export type Worker = {
  /** Looks for messages at once, not at the next look. */
  wake(): void
  /** How many messages are being handled, counting a look for more. */
  busy(): number
  /** Takes nothing new and waits for what is being handled. */
  stop(): Promise<void>
}

const LOOK_MS = 500
/** How many messages are handled at a time beside those that wait for the service. */
const CONCURRENCY = 32
/** So many may wait for a slot of the budget. */
const SERVICE_CONCURRENCY = 2_000

/**
 * Claims actors whose message is due and hands it to the handler of their kind. A handler that throws is tried
 * again with back-off; then `setAside` keeps the message out of the way and tells whom it concerns.
 */
export function createWorker(deps: AttemptDeps & { concurrency?: number }): Worker {
  const { store, log, concurrency = CONCURRENCY } = deps
  const room = { here: concurrency, service: SERVICE_CONCURRENCY }
  const running = { here: 0, service: 0 }
  const all = () => running.here + running.service
  const hasRoom = () => running.here < room.here && running.service < room.service
  let stopped = false
  let looking = false
  let lookAgain = false
  let current = Promise.resolve()
  const onIdle = new Set<() => void>()
  const handle = createAttempts({ ...deps, isStopped: () => stopped })
  const timer = setInterval(() => look(), LOOK_MS)

  function look(): void {
    if (looking) lookAgain = true
    else current = lookNow()
  }

  async function lookNow(): Promise<void> {
    looking = true
    try {
      do {
        lookAgain = false
        while (!stopped && hasRoom() && (await claimOne()) === 'begun');
      } while (lookAgain && !stopped)
    } catch (err) {
      log.error({ err }, 'store does not hand out work')
    } finally {
      looking = false
    }
  }

  async function claimOne(): Promise<'begun' | 'nothing due'> {
    const claim = await store.claim(LEASE_MS)
    if (!claim) return 'nothing due'
    const place = placeOf(claim.actor)
    running[place] += 1
    void handle(claim).finally(() => {
      running[place] -= 1
      if (all() === 0) for (const resolve of onIdle) resolve()
      look()
    })
    return 'begun'
  }

  look()
  return {
    wake: () => look(),
    busy: () => all() + (looking ? 1 : 0),
    async stop() {
      stopped = true
      clearInterval(timer)
      await current
      if (all() > 0) await new Promise<void>((resolve) => void onIdle.add(resolve))
    },
  }
}

/** What may wait long for the service takes no room from the chats. */
function placeOf(actor: string): 'here' | 'service' {
  const kind = actorKind(actor)
  return kind && actorClasses[kind] === 'service' ? 'service' : 'here'
}
