import { setImmediate } from 'node:timers/promises'

export type FakeClock = ReturnType<typeof fakeClock>

/** A clock that moves only when told, with timers that fire on the way. */
export function fakeClock(start = 1_700_000_000_000) {
  let time = start
  const timers = new Map<() => void, number>()
  const clock = {
    /** Resolves when the work started by a timer is over. */
    settled: (): Promise<unknown> => setImmediate(),
    now: () => time,
    setTimer: (callback: () => void, ms: number) => {
      const timer = () => callback()
      timers.set(timer, time + ms)
      return () => void timers.delete(timer)
    },
    /** Lets time pass without firing a timer, as in a busy process. */
    leap: (ms: number) => {
      time += ms
    },
    /** Fires all timers that are due by then, in their order. */
    async advance(ms: number) {
      const until = time + ms
      await clock.settled()
      for (;;) {
        const at = Math.min(...timers.values())
        if (at > until) break
        time = Math.max(time, at)
        for (const [timer, due] of timers) {
          if (due === at && timers.delete(timer)) timer()
        }
        await clock.settled()
      }
      time = until
    },
  }
  return clock
}
