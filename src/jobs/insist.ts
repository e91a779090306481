import { setTimeout as delay } from 'node:timers/promises'

const TRIES = 15
const AGAIN_MS = 500

/** Commits also where the store is away for a while: what was done outside, such as a message sent, is not done twice. */
export async function insist<T>(commit: () => Promise<T>, isStopped: () => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await commit()
    } catch (err) {
      if (tries === TRIES || isStopped()) throw err
      await delay(AGAIN_MS)
    }
  }
}
