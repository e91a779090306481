import type { Log } from '../observe/logger.ts'
import type { Claim, Store } from '../storage/store.ts'

/** How long a message waits for another worker after its process was killed. */
export const LEASE_MS = 10_000
const RENEWALS = 3

/** Another worker has the message, or may have it: what this worker does no longer counts. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

/** This process stops: the message is put back, and another process takes it. */
export class StoppingError extends Error {
  override name = 'StoppingError'
}

export type Lease = ReturnType<typeof keepLease>

/** Repeats an action until the returned function is called. */
export type Every = (ms: number, act: () => void) => () => void

const onInterval: Every = (ms, act) => {
  const timer = setInterval(act, ms)
  return () => clearInterval(timer)
}

type LeaseDeps = {
  store: Pick<Store, 'renew' | 'begin'>
  log: Log
  leaseMs?: number
  every?: Every
  elapsed?: () => number
}

/** Renews a lease while its message is handled; aborts the handler once the lease is lost, or may be. */
export function keepLease(
  { store, log, leaseMs = LEASE_MS, every = onInterval, elapsed = () => performance.now() }: LeaseDeps,
  claim: Claim,
  abort: AbortController,
) {
  let hasBegun = false
  let heldUntil = elapsed() + leaseMs
  const isHeld = () => elapsed() < heldUntil
  const lost = () => abort.abort(new LeaseLostError('another worker may have the message'))
  const end = every(Math.ceil(leaseMs / RENEWALS), () => {
    // A store that hangs never answers the renewal below.
    if (!isHeld()) lost()
    const at = elapsed() // taken before the call, so that the store's lease ends no earlier
    store.renew(claim, leaseMs).then(
      (isRenewed) => {
        if (isRenewed) heldUntil = at + leaseMs
        else lost()
      },
      (err: unknown) => log.warn({ err }, 'lease not renewed'),
    )
  })

  return {
    signal: abort.signal,
    isHeld: () => isHeld() && !abort.signal.aborted,
    isLost: () => abort.signal.reason instanceof LeaseLostError,
    hasBegun: () => hasBegun,
    isStopping: () => abort.signal.reason instanceof StoppingError,
    async begin(): Promise<void> {
      abort.signal.throwIfAborted()
      if (!(await store.begin(claim, leaseMs))) lost()
      abort.signal.throwIfAborted()
      hasBegun = true
    },
    end,
  }
}
