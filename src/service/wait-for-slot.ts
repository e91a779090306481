import { type AcquireOptions, budgetRules, type Place, type Slot } from './budget.ts'
import { ServiceError } from './errors.ts'

/** Calls back after so many milliseconds; returns what cancels it. */
export type SetTimer = (callback: () => void, ms: number) => () => void

/** A call that waits for its slot. It ends once: with the slot, or refused. */
export type Waiting = {
  slot: Promise<Slot>
  grant(slot: Slot): void
  refuse(error: unknown): void
  /** Whether somebody wants to be told the place. */
  isCurious: boolean
  /** Passes the place on, when it is the first one or has changed much. */
  tell(place: Place): void
}

type Clock = { now: () => number; setTimer: SetTimer }

/** Begins to wait; `leave` is called when it is aborted or too late. Throws when there is nothing to wait for. */
export function waitForSlot(
  { signal, onQueued, deadline }: AcquireOptions,
  { now, setTimer }: Clock,
  leave: (error: unknown) => void,
): Waiting {
  signal?.throwIfAborted()
  const isLate = () => deadline !== undefined && now() >= deadline
  if (isLate()) throw tooLate()
  const { promise: slot, resolve, reject } = promiseOf<Slot>()
  let told: Place | undefined

  const abort = () => leave(signal?.reason)
  signal?.addEventListener('abort', abort)
  const cancelDeadline =
    deadline === undefined ? undefined : setTimer(() => leave(tooLate()), deadline - now())
  const end = () => {
    signal?.removeEventListener('abort', abort)
    cancelDeadline?.()
  }

  return {
    slot,
    grant(granted) {
      end()
      // A process that was busy may hear of both at once.
      if (!isLate()) return resolve(granted)
      reject(tooLate())
      void granted.cancel()
    },
    refuse(error) {
      end()
      reject(error)
    },
    isCurious: onQueued !== undefined,
    tell(place) {
      if (told && !hasChangedMuch(told, place)) return
      told = place
      onQueued?.(place)
    },
  }
}

/** Whether who was told the one should hear the other: half of the line is gone, or half of the time was wrong. */
function hasChangedMuch(told: Place, { place, etaMs }: Place): boolean {
  const { leastMs, share } = budgetRules.muchOfEstimate
  return place <= told.place * share || Math.abs(etaMs - told.etaMs) >= Math.max(leastMs, told.etaMs * share)
}

export const noSlot = () => new ServiceError('no_slot', { reached: 'no' })
const tooLate = () => new ServiceError('too_late', { reached: 'no' })

/** Calls back after so many milliseconds; returns what cancels it. */
export function realTimer(callback: () => void, ms: number): () => void {
  const timer = setTimeout(callback, ms)
  return () => clearTimeout(timer)
}

function promiseOf<T>() {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<T>((one, other) => {
    resolve = one
    reject = other
  })
  return { promise, resolve, reject }
}
