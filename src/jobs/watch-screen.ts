import { z } from 'zod'
import { onBehalf } from '../kept/owed-result.ts'
import { openSittingOf, sittingKey } from '../kept/sittings.ts'
import { postEvent } from '../mail/chat-message.ts'
import { guardCurrent } from '../mail/current.ts'
import { job } from '../mail/job.ts'
import type { Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { type Handler, handler } from './task.ts'

export const SCREEN_LOOK_MS = 120_000
/** Telegram keeps a tap for so long; later ones of an outage are gone. */
const TAP_LIFE_MS = 150_000
/** Who has not answered for so long does not look at the screen. */
const AWAY_AFTER_MS = 30 * 60_000

/** Watches over the question that is shown. By `S`. */
export const screenJob = job('screen', z.object({ s: z.string(), onBehalf, dueAt: z.number() }))

/**
 * Shows the current question again after an outage: a look that comes so late that taps were lost means one. It
 * watches only while somebody answers.
 */
export function createScreenHandler({
  store,
  vault,
  now,
}: {
  store: Store
  vault: Vault
  now: () => number
}): Handler {
  return handler(screenJob, async ({ body, work }) => {
    const { s, onBehalf, dueAt } = body
    const [entry] = (await guardCurrent(work, onBehalf)) ? await store.read([sittingKey(s)]) : []
    const sitting = entry && openSittingOf(vault, { who: onBehalf.who, s }, entry)
    if (sitting?.state !== 'open') return undefined
    const isOutage = now() - dueAt > TAP_LIFE_MS
    if (isOutage && dueAt - sitting.lastActivityAt < AWAY_AFTER_MS) {
      postEvent(work, onBehalf, s, { kind: 'redraw' })
      return undefined
    }
    if (now() - sitting.lastActivityAt > AWAY_AFTER_MS) return undefined
    const next = now() + SCREEN_LOOK_MS
    return { retryAt: next, retryBody: { ...body, dueAt: next }, countsAsRetry: false }
  })
}
