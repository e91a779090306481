import { setTimeout as delay } from 'node:timers/promises'
import { type AttemptReply, attemptView } from '../domain/attempt.ts'
import { attemptKey, openStoredAttempt } from '../storage/documents/attempts.ts'
import type { Store } from '../storage/store.ts'
import type { CachedAttempt } from './attempt-cache.ts'
import type { Tap } from './read-tap.ts'

/** The reply to the move of a tap. */
export type Shown = Exclude<AttemptReply, { status: 'gone' }>
/** Shows the current question, in the tapped message or in a new one. */
export type Draw = (tap: Tap, cached: CachedAttempt, shown: Shown) => Promise<'in place' | 'anew'>

/** A slower edit is checked afterwards. */
const LONGEST_UNSEEN_MS = 1_000

/**
 * Keeps a screen true that the chat, or another replica, may render meanwhile: no edit knows which of two
 * lands last. A slow edit is checked afterwards. With several replicas so is an edit after others' changes,
 * and the screen of a fast answer is rendered again once the earlier edits have landed. An answer at reading
 * speed costs nothing more.
 */
export function amongOthers(
  draw: Draw,
  store: Store,
  isOneOfMany: boolean,
): (...rendered: Parameters<Draw>) => Promise<void> {
  /** The newest view of each attempt that is being rendered. */
  const newest = new Map<string, Shown>()

  /** The current view, if the tapped message still shows the attempt. */
  async function standing({ s, messageId = 0 }: Tap, cached: CachedAttempt) {
    const [entry] = await store.read([attemptKey(s)])
    const attempt = entry && openStoredAttempt(entry)
    if (!attempt?.owner.equals(cached.owner) || attempt.state !== 'open') return undefined
    // After a typed answer a newer message shows the attempt.
    return attempt.lastMessageId > messageId ? undefined : attemptView(attempt)
  }

  /** Renders once, and returns what has to be rendered next. */
  async function drawOnce(tap: Tap, cached: CachedAttempt, shown: Shown): Promise<Shown | undefined> {
    const isNewest = () => newest.get(tap.s) === shown
    const askedAt = performance.now()
    const place = await draw(tap, cached, shown)
    const leftMs = LONGEST_UNSEEN_MS - (performance.now() - askedAt)
    const isFast = isOneOfMany && shown.isFast
    const isOurs = !isOneOfMany || shown.status === 'accepted'
    const isSure = isOurs && !isFast && leftMs > 0
    if (isSure || place === 'anew') return undefined
    if (isFast && leftMs > 0 && isNewest()) await delay(leftMs)
    // The newer rendering in this process does its own check.
    if (!isNewest()) return undefined
    const view = await standing(tap, cached)
    if (!view) return undefined
    if (view.revision !== shown.revision) return { ...view, status: 'stale', isFast: false }
    return isFast ? { ...view, status: 'accepted', isFast: false } : undefined
  }

  return async (tap, cached, first) => {
    let next: Shown | undefined = first
    while (next) {
      const shown: Shown = next
      newest.set(tap.s, shown)
      next = await drawOnce(tap, cached, shown).finally(() => {
        if (newest.get(tap.s) === shown) newest.delete(tap.s)
      })
    }
  }
}
