import { setTimeout as delay } from 'node:timers/promises'

export type Sleep = (ms: number, signal: AbortSignal) => Promise<unknown>

/** Waits; ends early, without an error, when the signal says stop. */
export const sleepUnlessStopped: Sleep = (ms, signal) => delay(ms, undefined, { signal }).catch(() => {})

const longestMs = 30_000

/** 1, 2, 4 … 30 s between attempts that fail in a row. */
export function createBackOff(sleep: Sleep, signal: AbortSignal) {
  let failures = 0
  return {
    succeeded() {
      failures = 0
    },
    async failed() {
      failures += 1
      await sleep(Math.min(longestMs, 1000 * 2 ** (failures - 1)), signal)
    },
  }
}
