import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

const TRIES = 15
const AGAIN_MS = 500

/**
 * Commits also where the store is away for a while: what was done outside, such as a message sent, is not done twice.
 * Every try carries the same id, so that one which was carried out unheard is known as done.
 */
export async function retryCommit<T>(
  commit: (id: string) => Promise<T>,
  isStopped: () => boolean,
): Promise<T> {
  const id = randomBytes(9).toString('base64url')
  for (let tries = 1; ; tries += 1) {
    try {
      return await commit(id)
    } catch (err) {
      if (tries === TRIES || isStopped()) throw err
      await delay(AGAIN_MS)
    }
  }
}
