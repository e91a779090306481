import type { Log } from '../observe/logger.ts'
import { unlessAborted } from '../observe/within.ts'
import { type Every, keepLease } from '../queue/lease.ts'
import type { Claim, Store } from '../storage/store.ts'
import { type Receiver, receiveBy, type Sleep, sleepUnlessStopped } from '../telegram/receiver.ts'

/** Its one message is never done: whoever has it polls. */
const KIND = 'poll'
const ACTOR = `${KIND}:updates`
/** So long after its last renewal a holder asks no more. */
const LEASE_MS = 3_000
/** The store waits a little longer, so that nobody begins before the other one has ended. */
const MARGIN_MS = 1_000
const LOOK_EVERY_MS = 500

type PollingOptions = {
  store: Pick<Store, 'backlog' | 'post' | 'claim' | 'renew' | 'begin' | 'commit'>
  now: () => number
  log: Log
  /** A receiver for one time of holding the lease; it must not ask for updates when `mayAsk` says no. */
  open: (mayAsk: () => boolean) => Receiver
  /** Hears of every failure that is tried again. */
  onError: (error: unknown) => void
  /** How time passes, for tests in virtual time. */
  time?: { sleep: Sleep; every: Every; elapsed: () => number } | undefined
}

/**
 * Receives only while this replica has the message of the poller; meanwhile the others stand by. Whoever lost it (it was
 * frozen, or the store was away) stops asking at once, since two who poll end each other's polls.
 */
export function createPolling({ store, now, log, open, onError, time }: PollingOptions): Receiver {
  const sleep = time?.sleep ?? sleepUnlessStopped
  const stopping = new AbortController()
  let receiver: Receiver | undefined

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const claim = await take().catch((error: unknown) => void onError(error))
      if (claim) await receive(claim)
      else await sleep(LOOK_EVERY_MS, stopping.signal)
    }
  }

  async function take(): Promise<Claim | undefined> {
    const [queue] = await store.backlog([KIND])
    // Nobody has polled yet, or the store was put back.
    const id = `${ACTOR}:${Math.floor(now() / LEASE_MS)}`
    if (queue?.waiting === 0) await store.post({ actor: ACTOR, id, body: Buffer.alloc(0) })
    return store.claim(LEASE_MS + MARGIN_MS, [KIND])
  }

  async function receive(claim: Claim): Promise<void> {
    const ending = new AbortController()
    const patient: typeof store = {
      ...store,
      renew: (ours, leaseMs) => store.renew(ours, leaseMs + MARGIN_MS),
    }
    const lease = keepLease({ ...time, store: patient, log, leaseMs: LEASE_MS }, claim, ending)
    const own = open(lease.isHeld)
    receiver = own
    const received = own.run()
    const over = AbortSignal.any([stopping.signal, ending.signal])
    await unlessAborted(over, () => received).catch(() => {}) // looked at below
    await own.stop()
    receiver = undefined
    lease.end()
    await store.commit(claim, { retryAt: now(), countsAsRetry: false }).catch(onError)
    await received
  }

  // Who stands by has nothing to be wrong with.
  return { ...receiveBy(loop, stopping), check: async () => receiver?.check() }
}
