import { backOffMs } from '../domain/durations.ts'
import { NEXT_REPLICA_MS, type ServiceError } from '../service/errors.ts'

const PAUSES_MS = [2_000, 10_000, 60_000, 300_000, 600_000]
const MOST_TRIES = 12

/** When a job of many calls goes on after a failure of the service, or why it gives up. */
export function pauseAfter(
  { code }: Pick<ServiceError, 'code'>,
  tries = 0,
): { afterMs: number; tries: number } | 'down' | 'key' {
  if (code === 'no_slot') return { afterMs: NEXT_REPLICA_MS, tries }
  const isRefused = code === 'key_invalid' || code === 'forbidden'
  if (!isRefused && tries < MOST_TRIES) return { afterMs: backOffMs(PAUSES_MS, tries + 1), tries: tries + 1 }
  return code === 'unavailable' || tries >= MOST_TRIES ? 'down' : 'key'
}
