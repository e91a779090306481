import { setTimeout as delay } from 'node:timers/promises'

/** Waits until something is done, but no longer than this. Whether it is. */
export async function within(ms: number, done: Promise<unknown>): Promise<boolean> {
  const limit = new AbortController()
  const late = delay(ms, false, { signal: limit.signal }).catch(() => false)
  try {
    return await Promise.race([done.then(() => true), late])
  } finally {
    limit.abort()
  }
}
