import { randomUUID } from 'node:crypto'
import { HOUR_MS } from '../domain/durations.ts'
import type { Store } from '../store/store.ts'
import { type Sleep, sleepUnlessStopped } from './back-off.ts'
import type { Receiver } from './receiver.ts'

const KEY = 'polling'
/** So long after its last sign of life a holder asks no more, and another replica may take its place. */
const LEASE_MS = 3_000
const RENEW_EVERY_MS = 1_000
const LOOK_EVERY_MS = 500
/** A lease that nobody wants any more leaves the store by itself. */
const KEPT_MS = HOUR_MS

type LeasedReceiverOptions = {
  store: Pick<Store, 'read' | 'put'>
  now: () => number
  /** A receiver for one time of holding the lease; it must not ask for updates when `mayAsk` says no. */
  open: (mayAsk: () => boolean) => Receiver
  /** Hears of every failure that is tried again. */
  onError: (error: unknown) => void
  /** Waits, for tests in virtual time. */
  sleep?: Sleep | undefined
}

/**
 * Receives only while this replica holds the lease; meanwhile the others stand by. Whoever lost it (it was frozen, or
 * the store was away) stops asking at once, since two who poll end each other's polls.
 */
export function createLeasedReceiver(options: LeasedReceiverOptions): Receiver {
  const { store, now, open, onError, sleep = sleepUnlessStopped } = options
  const stopping = new AbortController()
  const lease = createLease(store, now)
  let running: Promise<void> | undefined

  const tellNo = (error: unknown): false => {
    onError(error)
    return false
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (await lease.take().catch(tellNo)) await receive()
      else await sleep(LOOK_EVERY_MS, stopping.signal)
    }
  }

  async function receive(): Promise<void> {
    const receiver = open(lease.isHeld)
    const ending = new AbortController()
    const received = receiver.run().finally(() => ending.abort())
    received.catch(() => {}) // looked at below
    await keep(AbortSignal.any([stopping.signal, ending.signal]))
    await receiver.stop()
    await lease.giveUp().catch(onError)
    await received
  }

  /** Prolongs the lease until it is lost, or nobody needs it any more. */
  async function keep(signal: AbortSignal): Promise<void> {
    while (lease.isHeld()) {
      await sleep(RENEW_EVERY_MS, signal)
      if (signal.aborted || !lease.isHeld()) return
      // A store that hangs must not hide that the lease runs out.
      const done = new AbortController()
      const renewed = lease.renew().catch(onError)
      await Promise.race([renewed, sleep(lease.leftMs(), done.signal)])
      done.abort()
    }
  }

  return {
    run() {
      running ??= loop()
      return running
    },
    async stop() {
      stopping.abort()
      await running?.catch(() => {})
    },
  }
}

/**
 * One key of the store with the random name of its holder. Nobody compares clocks: each renewal changes the version
 * of the key, and who has seen the same version for the whole term puts its own name there, if it still has that version.
 */
function createLease(store: Pick<Store, 'read' | 'put'>, now: () => number) {
  const holder = randomUUID()
  let heldUntil = Number.NEGATIVE_INFINITY
  let seen: { version: string; at: number } | undefined

  const look = async () => (await store.read([KEY]))[0]

  async function write(version: string | null): Promise<boolean> {
    const at = now() // before it is sent: nobody can have seen it earlier
    const value = Buffer.from(holder)
    const isWritten = await store.put({ key: KEY, value, expiresAt: at + KEPT_MS }, version)
    heldUntil = isWritten ? at + LEASE_MS : Number.NEGATIVE_INFINITY
    return isWritten
  }

  return {
    isHeld: () => now() < heldUntil,
    leftMs: () => Math.max(heldUntil - now(), 0),
    /** Whether this replica has it now. */
    async take(): Promise<boolean> {
      const entry = await look()
      if (!entry) return write(null)
      if (entry.value.toString() === holder) return write(entry.version)
      if (seen?.version !== entry.version) seen = { version: entry.version, at: now() }
      return now() - seen.at >= LEASE_MS && write(entry.version)
    },
    async renew(): Promise<void> {
      const entry = await look()
      if (entry?.value.toString() === holder) await write(entry.version)
      else heldUntil = Number.NEGATIVE_INFINITY
    },
    /** Leaves the place to whoever looks next. */
    async giveUp(): Promise<void> {
      heldUntil = Number.NEGATIVE_INFINITY
      const entry = await look()
      if (entry?.value.toString() === holder) await store.put({ key: KEY, value: null }, entry.version)
    },
  }
}
