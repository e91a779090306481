import { openSitting } from '../domain/sitting.ts'
import type { Store } from '../store/store.ts'
import type { OnBehalf } from './actors.ts'
import { sittingKey } from './kinds.ts'
import { guardCurrent } from './on-behalf.ts'
import { postEvent } from './post-event.ts'
import type { JobHandler } from './worker.ts'

export type ScreenJob = { s: string; onBehalf: OnBehalf; dueAt: number }

export const SCREEN_LOOK_MS = 120_000
/** Telegram keeps a tap for so long; later ones of an outage are gone. */
const TAP_LIFE_MS = 150_000
/** Who has not answered for so long does not look at the screen. */
const AWAY_AFTER_MS = 30 * 60_000

/**
 * Shows the current question again after an outage: a look that comes so late that taps were lost means one. It
 * watches only while somebody answers.
 */
export function createScreenHandler({ store, now }: { store: Store; now: () => number }): JobHandler {
  return async ({ body, work }) => {
    const job = body as ScreenJob
    const { s, onBehalf, dueAt } = job
    const [entry] = (await guardCurrent(work, onBehalf)) ? await store.read([sittingKey(s)]) : []
    const sitting = entry && openSitting(entry.value)
    if (sitting?.state !== 'open') return undefined
    const isOutage = now() - dueAt > TAP_LIFE_MS
    if (isOutage && dueAt - sitting.lastActivityAt < AWAY_AFTER_MS) {
      postEvent(work, onBehalf, s, { kind: 'redraw' })
      return undefined
    }
    if (now() - sitting.lastActivityAt > AWAY_AFTER_MS) return undefined
    const next = now() + SCREEN_LOOK_MS
    return { retryAt: next, retryBody: { ...job, dueAt: next }, countsAsRetry: false }
  }
}
