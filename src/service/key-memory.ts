import type { Config } from '../config.ts'
import { HOUR_MS, MINUTE_MS } from '../domain/durations.ts'
import { NEWS_MS } from '../observe/health.ts'
import type { Store } from '../storage/store.ts'
import type { Lane } from './endpoints.ts'
import { type ServiceErrorCode, showsWorking } from './errors.ts'

const TERM_MS = HOUR_MS
const RENEWED_AFTER_MS = NEWS_MS / 3
/** What the looks of one process may take of each limit of the service; those of all replicas, while it works, at most twice as much. */
const SHARE = { hour: 0.08, minute: 0.04 }

/** After so long without news of the service it is looked at: at every look, where its limits are the usual ones. */
export const newsMsOf = ({ ratePerHour, ratePerMinute }: Pick<Config, 'ratePerHour' | 'ratePerMinute'>) =>
  Math.max(2 * NEWS_MS, HOUR_MS / (SHARE.hour * ratePerHour), MINUTE_MS / (SHARE.minute * ratePerMinute)) -
  NEWS_MS

/**
 * Remembers for all replicas when the service last took the key: one of them looks for all, and one that starts within the
 * hour is ready at once.
 */
export function createKeyMemory(
  store: Pick<Store, 'readAt' | 'put'>,
  { name, newsMs, now }: { name: string; newsMs: number; now: () => number },
) {
  const key = `accepted:${name}`
  let isFirst = true
  let lane: Lane = 'participant'
  /** What it has met itself counts for more than what others have. */
  let isWorking = true
  let writtenAt = Number.NEGATIVE_INFINITY

  async function remember(isAccepted: boolean): Promise<void> {
    const { at, entry } = await store.readAt(key)
    const value = isAccepted ? Buffer.from(String(at)) : null
    await store.put({ key, value, expiresAt: at + TERM_MS }, entry?.version ?? null)
  }

  async function isRemembered(): Promise<boolean> {
    const wasFirst = isFirst
    isFirst = false
    if (!isWorking) return false
    const { at, entry } = await store.readAt(key)
    return entry !== undefined && (wasFirst || Math.abs(at - Number(entry.value)) < newsMs)
  }

  return {
    /** Asks the service, at first in the line of participants, unless another process has just seen the key accepted. */
    async check(connect: (lane: Lane) => Promise<unknown>): Promise<void> {
      if (!(await isRemembered().catch(() => false))) await connect(lane)
      lane = 'background'
    },
    /** What a call has shown of the key. */
    note(code: ServiceErrorCode | undefined): void {
      isWorking = showsWorking(code) ?? isWorking
      const isAccepted = code === undefined
      if (isAccepted ? Math.abs(now() - writtenAt) < RENEWED_AFTER_MS : code !== 'key_invalid') return
      writtenAt = isAccepted ? now() : Number.NEGATIVE_INFINITY
      // Storage says itself that it fails; then the next process asks the service.
      remember(isAccepted).catch(() => undefined)
    },
  }
}
