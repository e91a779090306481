import type { Time } from '../time.ts'
import { surroundings } from './surroundings.ts'

const real = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, Date }
const realPerformanceNow = performance.now.bind(performance)
const realRandom = Math.random

/** A timer of the simulation, as Node's own code expects one. */
type Timer = { stop(): void; ref(): Timer; unref(): Timer; hasRef(): boolean }

let numbers = 0
/** The timers of each world by their numbers; they are dropped with the world. */
const timersOf = new WeakMap<Time, Map<number, Timer>>()

function timersIn(time: Time): Map<number, Timer> {
  const timers = timersOf.get(time) ?? new Map<number, Timer>()
  timersOf.set(time, timers)
  return timers
}

function timer(ms: number, act: () => void, repeats: boolean): Timer & { [Symbol.toPrimitive](): number } {
  const number = ++numbers
  const { time } = surroundings() ?? {}
  if (!time) throw new Error('no world is simulated')
  const handles = timersIn(time)
  // A timer belongs to the host that sets it, and dies or freezes with that host.
  const host = time.current
  const waitMs = Math.min(Math.max(1, Number(ms) || 0), 2 ** 31 - 1)
  const set = () =>
    time.add(host, waitMs, () => {
      if (repeats) event = set()
      else handles.delete(number)
      act()
    })
  let event = set()
  const made = {
    stop() {
      event.isCancelled = true
      handles.delete(number)
    },
    ref: () => made,
    unref: () => made,
    hasRef: () => true,
    [Symbol.toPrimitive]: () => number,
  }
  handles.set(number, made)
  return made
}

function stop(given: unknown): void {
  const { time } = surroundings() ?? {}
  if (typeof given === 'number') time && timersIn(time).get(given)?.stop()
  else if (typeof given === 'object' && given !== null && 'stop' in given) (given as Timer).stop()
}

type Act = (...given: unknown[]) => void

/** Replaces clock, timers and randomness of the process. Outside of a simulated world they stay real. */
export function replaceGlobals(): void {
  Object.assign(globalThis, {
    setTimeout: (act: Act, ms: number, ...given: unknown[]) =>
      surroundings() ? timer(ms, () => act(...given), false) : real.setTimeout(act, ms, ...given),
    setInterval: (act: Act, ms: number, ...given: unknown[]) =>
      surroundings() ? timer(ms, () => act(...given), true) : real.setInterval(act, ms, ...given),
    setImmediate(act: Act, ...given: unknown[]) {
      const { time } = surroundings() ?? {}
      if (!time) return real.setImmediate(act, ...given)
      const event = time.add(time.current, 0, () => act(...given))
      return {
        stop() {
          event.isCancelled = true
        },
      }
    },
    clearTimeout: clearing(real.clearTimeout),
    clearInterval: clearing(real.clearInterval),
    clearImmediate: clearing(real.clearImmediate),
    Date: class extends real.Date {
      constructor(...given: []) {
        if (given.length > 0) super(...given)
        else super(date())
      }
      static override now = date
    },
  })
  performance.now = () => surroundings()?.time.elapsed() ?? realPerformanceNow()
  Math.random = () => surroundings()?.chance.next() ?? realRandom()
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('it took too long', 'TimeoutError')), ms)
    return controller.signal
  }
}

const date = () => surroundings()?.time.now() ?? real.Date.now()

/** Outside of a simulated world Node clears its own timers. */
const clearing = (clear: (given?: never) => void) => (given: unknown) => {
  if (surroundings()) stop(given)
  else clear(given as never)
}
