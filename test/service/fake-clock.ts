import { setImmediate } from 'node:timers/promises'

/** A clock that only moves when it is told to, with timers that go off on the way. */
export function fakeClock(start = 1_700_000_000_000) {
  let time = start
  const timers = new Map<() => void, number>()
  const clock = {
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
      await setImmediate()
      for (;;) {
        const [next] = [...timers].filter(([, at]) => at <= until).sort(([, a], [, b]) => a - b)
        if (!next) break
        timers.delete(next[0])
        time = Math.max(time, next[1])
        next[0]()
        await setImmediate()
      }
      time = until
    },
  }
  return clock
}
