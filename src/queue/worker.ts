import { onceAMinute } from '../observe/logger.ts'
import { within } from '../observe/within.ts'
import { type ActorClass, actorClass, actorClassNames, kindsByClass } from './actors.ts'
import { type ClaimDeps, handleClaim } from './handle-claim.ts'
import { LEASE_MS, StoppingError } from './lease.ts'
import type { Suspects } from './suspects.ts'

export type Worker = ReturnType<typeof createWorker>

const CHECK_MS = 500
/** How many messages of a class are handled at a time. */
const ROOM: Readonly<Record<ActorClass, number>> = {
  chat: 32,
  here: 32,
  service: 2_000,
  visits: 2_000,
  outside: 16,
}
/** At a stop: time to end, then time to put back aborted messages. The rest is left to the leases. */
const STOP_MS = { grace: 4_000, putBack: 1_500 }

/**
 * Claims actors whose message is due and hands it to the handler of their kind. A handler that throws is
 * retried with back-off; then `setAside` takes the message out of the queue and notifies those concerned.
 */
export function createWorker(
  deps: Omit<ClaimDeps, 'isStopped' | 'suspects'> & {
    suspects: Suspects
    room?: Partial<Record<ActorClass, number>>
  },
) {
  const { store, log, suspects } = deps
  const slots = createSlots({ ...ROOM, ...deps.room })
  let stopped = false
  let checking = false
  let checkAgain = false
  let current = Promise.resolve()
  const attempts: ClaimDeps = { ...deps, isStopped: () => stopped }
  const onRefused = onceAMinute((err) => log.error({ err }, 'store does not hand out work'))
  const timer = setInterval(() => check(), CHECK_MS)
  const waiting: (() => void)[] = []
  /** How many messages are being handled; a check for more counts as one. */
  const busy = () => slots.taken + (checking ? 1 : 0)
  const idle = async () => {
    if (busy() > 0) await new Promise<void>((resolve) => void waiting.push(resolve))
  }

  function check(): void {
    if (checking) checkAgain = true
    else current = checkNow()
  }

  async function checkNow(): Promise<void> {
    checking = true
    try {
      do {
        checkAgain = false
        while (!stopped && (await claimOne()) === 'begun');
      } while (checkAgain && !stopped)
    } catch (err) {
      onRefused(err)
    } finally {
      checking = false
      // A check follows the end of every message, so the worker always becomes idle here.
      if (busy() === 0) for (const resolve of waiting.splice(0)) resolve()
    }
  }

  async function claimOne(): Promise<'begun' | 'nothing due'> {
    const kinds = suspects.isBusy() ? [] : slots.wanted()
    const claim = kinds.length > 0 ? await store.claim(LEASE_MS, kinds) : undefined
    if (!claim) return 'nothing due'
    const slot = slots.take(actorClass(claim.actor))
    void handleClaim(attempts, claim, slot.abort).finally(() => {
      slot.leave()
      check()
    })
    return 'begun'
  }

  suspects.watch({ working: () => slots.taken, wake: check })
  check()
  return {
    /** Checks for messages now, not at the next interval. */
    wake: () => check(),
    ...{ busy, idle },
    /** Claims nothing new, waits a while for running handlers, and puts back what is not done by then. */
    async stop() {
      stopped = true
      clearInterval(timer)
      await current
      if (await within(STOP_MS.grace, idle())) return
      slots.abort(new StoppingError('this process stops'))
      if (!(await within(STOP_MS.putBack, idle()))) log.warn({}, 'stopped in the middle')
    },
  }
}

/** Slots for the messages that are being handled, limited by class. */
function createSlots(room: Readonly<Record<ActorClass, number>>) {
  const running: Record<ActorClass, number> = { chat: 0, here: 0, service: 0, visits: 0, outside: 0 }
  const underWay = new Set<AbortController>()

  return {
    get taken() {
      return underWay.size
    },
    /** The kinds of all classes with a free slot, chats first. */
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
