import { type AttemptReply, attemptView } from '../domain/attempt.ts'
import { attemptKey, openAttempt } from '../storage/documents/attempts.ts'
import type { Store } from '../storage/store.ts'
import type { CachedAttempt, Tap } from './attempt-cache.ts'

/** What a move of this tap's attempt has led to. */
export type Shown = Exclude<AttemptReply, { status: 'gone' }>
/** Shows what stands, in the tapped message or anew. */
export type Draw = (tap: Tap, cached: CachedAttempt, shown: Shown) => Promise<'in place' | 'anew'>

/** What a process draws of an attempt; `overtake` ends its waiting when something newer is rendered there. */
type Drawing = { shown: Shown; overtake: () => void }

/** An edit that takes longer looks afterwards whether it is still true. */
const LONGEST_UNSEEN_MS = 1_000

/**
 * Keeps a screen true that others draw meanwhile, the chat or, as one of many, another replica: of two edits none of them
 * knows which one lands last. An edit that was slow looks whether it still stands; among replicas so does one that drew what
 * others had changed, and an answer that follows at once is rendered again when the edits before it have landed. An answer in a
 * reader's own time costs nothing more.
 */
export function amongOthers(
  draw: Draw,
  store: Store,
  isOneOfMany: boolean,
): (...rendered: Parameters<Draw>) => Promise<void> {
  const newest = new Map<string, Drawing>()

  /** What stands now, if the tapped message still shows it. */
  async function standing({ s, messageId = 0 }: Tap, cached: CachedAttempt) {
    const [entry] = await store.read([attemptKey(s)])
    const attempt = entry && openAttempt(entry)
    if (!attempt?.owner.equals(cached.owner) || attempt.state !== 'open') return undefined
    // Below a typed answer stands a message of its own.
    return attempt.lastMessageId > messageId ? undefined : attemptView(attempt)
  }

  /** Draws, and tells what has to be rendered then. */
  async function drawOnce(tap: Tap, cached: CachedAttempt, drawing: Drawing): Promise<Shown | undefined> {
    const { shown } = drawing
    const isNewest = () => newest.get(tap.s) === drawing
    const askedAt = performance.now()
    const place = await draw(tap, cached, shown)
    const leftMs = LONGEST_UNSEEN_MS - (performance.now() - askedAt)
    const isFast = isOneOfMany && shown.isFast
    const isOurs = !isOneOfMany || shown.status === 'accepted'
    const isSure = isOurs && !isFast && leftMs > 0
    if (isSure || place === 'anew') return undefined
    if (isFast && leftMs > 0 && isNewest()) await untilOvertaken(drawing, leftMs)
    // Whoever draws after us in this process looks itself.
    if (!isNewest()) return undefined
    const view = await standing(tap, cached)
    if (!view) return undefined
    if (view.revision !== shown.revision) return { ...view, status: 'stale', isFast: false }
    return isFast ? { ...view, status: 'accepted', isFast: false } : undefined
  }

  return async (tap, cached, first) => {
    let next: Shown | undefined = first
    while (next) {
      const drawing: Drawing = { shown: next, overtake: () => undefined }
      newest.get(tap.s)?.overtake()
      newest.set(tap.s, drawing)
      next = await drawOnce(tap, cached, drawing).finally(() => {
        if (newest.get(tap.s) === drawing) newest.delete(tap.s)
      })
    }
  }
}

/** Waits so long, or until something newer is rendered: who answers fast leaves no crowd of timers behind. */
function untilOvertaken(drawing: Drawing, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    drawing.overtake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}
