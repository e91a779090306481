import { setTimeout as delay } from 'node:timers/promises'
import { backOffMs } from '../domain/durations.ts'

export type Sleep = (ms: number, signal: AbortSignal) => Promise<unknown>

/** Waits; ends early, without an error, when the signal says stop. */
export const sleepUnlessStopped: Sleep = (ms, signal) => delay(ms, undefined, { signal }).catch(() => {})

/** Never longer than people should wait once Telegram is back. */
const STEPS_MS = [1_000, 2_000, 4_000, 5_000]

/** Waits between attempts that fail in a row. */
export function createBackOff(sleep: Sleep, signal: AbortSignal) {
  let failures = 0
  return {
    succeeded() {
      failures = 0
    },
    async failed() {
      failures += 1
      await sleep(backOffMs(STEPS_MS, failures), signal)
    },
  }
}
