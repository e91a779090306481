import type { Log } from '../observe/logger.ts'
import type { Claim, Store } from '../store/store.ts'

/** So long waits a message whose process was killed. */
export const LEASE_MS = 10_000
const RENEWALS = 3

/** Another worker has the message, or may have it: whatever this one does with it counts no more. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

/** This process stops: the message is put back, and the next one takes it. */
export class StoppingError extends Error {
  override name = 'StoppingError'
}

export type Lease = ReturnType<typeof keepLease>

/** Prolongs a lease while its message is handled; aborts what is done with it once the lease is lost, or may be. */
export function keepLease({ store, log }: { store: Store; log: Log }, claim: Claim, abort: AbortController) {
  let failures = 0
  let hasBegun = false
  const lost = () => abort.abort(new LeaseLostError('another worker may have the message'))
  const timer = setInterval(() => {
    store.renew(claim, LEASE_MS).then(
      (isHeld) => {
        failures = 0
        if (!isHeld) lost()
      },
      (err: unknown) => {
        failures += 1
        log.warn({ err }, 'lease not renewed')
        if (failures >= RENEWALS) lost()
      },
    )
  }, LEASE_MS / RENEWALS)

  return {
    signal: abort.signal,
    isLost: () => abort.signal.reason instanceof LeaseLostError,
    hasBegun: () => hasBegun,
    isStopping: () => abort.signal.reason instanceof StoppingError,
    async begin(): Promise<void> {
      abort.signal.throwIfAborted()
      if (!(await store.begin(claim, LEASE_MS))) lost()
      abort.signal.throwIfAborted()
      hasBegun = true
    },
    end: () => clearInterval(timer),
  }
}

/** What is done, or the reason for which it was aborted: also where it does not listen to the signal. */
export async function unlessAborted<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([act(), aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
