import { setTimeout as sleep } from 'node:timers/promises'
import { vi } from 'vitest'

export type Patience = { timeoutMs?: number; explain?: () => string }

/** Waits until something becomes true; fails with an explanation if it does not. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  { timeoutMs = 120_000, explain = () => '' }: Patience = {},
): Promise<void> {
  if (await becomes(isTrue, timeoutMs)) return
  throw new Error(`not within ${timeoutMs} ms: ${isTrue}\n${explain()}`)
}

/** Slow conditions are checked less often: the checks of eight stories would cost more than the stories. */
const LOOK_MS = { first: 2, last: 40, growth: 1.25 }

/** Whether something becomes true within a time. */
export async function becomes(isTrue: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  for (
    let waitMs = LOOK_MS.first;
    !(await isTrue());
    waitMs = Math.min(LOOK_MS.last, waitMs * LOOK_MS.growth)
  ) {
    if (performance.now() > deadline) return false
    await sleep(waitMs)
  }
  return true
}

/** Waits until an expectation holds; fails with it after two minutes. */
export function eventually<T>(expectation: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(expectation, { timeout: 120_000, interval: 10 })
}
