import type { Config } from '../config.ts'
import { HOUR_MS, MINUTE_MS } from '../domain/durations.ts'
import { NEWS_MS } from '../observe/health.ts'
import type { Store } from '../storage/store.ts'
import type { Lane } from './endpoints.ts'
import { type ServiceErrorCode, showsWorking } from './errors.ts'

const TERM_MS = HOUR_MS
const RENEWED_AFTER_MS = NEWS_MS / 3
/** The most of each limit that one process's key checks may use; all replicas: twice that, while it works. */
const SHARE = { hour: 0.08, minute: 0.04 }

/** After this long without a call the service is checked. With the usual limits, that is every check. */
export const newsMsOf = ({ ratePerHour, ratePerMinute }: Pick<Config, 'ratePerHour' | 'ratePerMinute'>) =>
  Math.max(2 * NEWS_MS, HOUR_MS / (SHARE.hour * ratePerHour), MINUTE_MS / (SHARE.minute * ratePerMinute)) -
  NEWS_MS

/**
 * Remembers for all replicas when the service last accepted the key: one replica checks for all, and one that
 * starts within the hour is ready at once.
 */
export function createKeyMemory(
  store: Pick<Store, 'readAt' | 'put'>,
  { name, newsMs, now }: { name: string; newsMs: number; now: () => number },
) {
  const key = `accepted:${name}`
  let isFirst = true
  let lane: Lane = 'participant'
  /** This process's own experience outweighs that of others. */
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
    /** Asks the service, first as participants do, unless another process just saw the key accepted. */
    async check(connect: (lane: Lane) => Promise<unknown>): Promise<void> {
      if (!(await isRemembered().catch(() => false))) await connect(lane)
      lane = 'background'
    },
    /** Notes what the result of a call shows about the key. */
    note(code: ServiceErrorCode | undefined): void {
      isWorking = showsWorking(code) ?? isWorking
      const isAccepted = code === undefined
      if (isAccepted ? Math.abs(now() - writtenAt) < RENEWED_AFTER_MS : code !== 'key_invalid') return
      writtenAt = isAccepted ? now() : Number.NEGATIVE_INFINITY
      // The storage reports its own failures; the next process then asks the service.
      remember(isAccepted).catch(() => undefined)
    },
  }
}
