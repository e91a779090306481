import { setImmediate } from 'node:timers/promises'

export type FakeClock = ReturnType<typeof fakeClock>

/** A clock that only moves when it is told to, with timers that go off on the way. */
export function fakeClock(start = 1_700_000_000_000) {
  let time = start
  const timers = new Map<() => void, number>()
  const clock = {
    /** Comes back when all that a timer has set off is over. */
    settled: (): Promise<unknown> => setImmediate(),
    now: () => time,
    setTimer: (callback: () => void, ms: number) => {
      const timer = () => callback()
      timers.set(timer, time + ms)
      return () => void timers.delete(timer)
    },
    /** Lets time go by without a timer going off, as in a process that was busy. */
    leap: (ms: number) => {
      time += ms
    },
    /** Lets everything happen that happens by then, in its order. */
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
