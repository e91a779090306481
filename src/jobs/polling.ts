import type { Log } from '../observe/logger.ts'
import { unlessAborted } from '../observe/within.ts'
import { type Every, keepLease } from '../queue/lease.ts'
import type { Claim, Store } from '../storage/store.ts'
import { type Receiver, receiveBy, type Sleep, sleepUnlessStopped } from '../telegram/receiver.ts'

/** The one message of this actor is never done: the replica that has it polls. */
const KIND = 'poll'
const ACTOR = `${KIND}:updates`
/** How long after its last renewal a replica stops polling. */
const LEASE_MS = 3_000
/** The lease in the store is longer, so that no replica begins before the other one has ended. */
const MARGIN_MS = 1_000
const CHECK_EVERY_MS = 500

type PollingOptions = {
  store: Pick<Store, 'backlog' | 'post' | 'claim' | 'renew' | 'begin' | 'commit'>
  now: () => number
  log: Log
  /** Opens a receiver for one lease; it must not ask for updates when `mayAsk` says no. */
  open: (mayAsk: () => boolean) => Receiver
  /** Called for every failure that is retried. */
  onError: (error: unknown) => void
  /** How time passes, for tests in virtual time. */
  time?: { sleep: Sleep; every: Every; elapsed: () => number } | undefined
}

/**
 * Receives only while this replica has the message of the poller; the others stand by. A replica that lost it
 * (it was frozen, or the store was away) stops at once, since two pollers end each other's polls.
 */
export function createPolling({ store, now, log, open, onError, time }: PollingOptions): Receiver {
  const sleep = time?.sleep ?? sleepUnlessStopped
  const stopping = new AbortController()
  let receiver: Receiver | undefined

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const claim = await take().catch((error: unknown) => void onError(error))
      if (claim) await receive(claim)
      else await sleep(CHECK_EVERY_MS, stopping.signal)
    }
  }

  async function take(): Promise<Claim | undefined> {
    const [queue] = await store.backlog([KIND])
    // No replica has polled yet, or the store was put back.
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
    await unlessAborted(over, () => received).catch(() => {}) // awaited below
    await own.stop()
    receiver = undefined
    lease.end()
    await store.commit(claim, { retryAt: now(), countsAsRetry: false }).catch(onError)
    await received
  }

  // A replica that stands by has nothing to check.
  return { ...receiveBy(loop, stopping), check: async () => receiver?.check() }
}
