import { createBoundedMap } from '../storage/bounded-map.ts'
import type { Store } from '../storage/store.ts'
import type { Dated } from '../telegram/sender.ts'

type Screen = { messageId: number; revision: number }

/**
 * Where a question was shown and, if known, when by Telegram's clock. `begunAt` and `endedAt` enclose the
 * moment by the running time of this process (`performance.now()`).
 */
export type Witness = { messageId: number; dated?: Dated | undefined; begunAt?: number; endedAt?: number }

export type Rendered = ReturnType<typeof createRendered>

/** `sentAt`: when the screen was sent, if later than it was begun. */
type Note = (screen: Screen, dated: Dated | undefined, sentAt?: number) => void

const SCREENS_KNOWN = 5_000

/** `isSure`: no other call was under way for that screen that may have changed it. */
type Known = Screen & Witness & { endedAt: number; connection: number | undefined; isSure: boolean }

type RenderedDeps = Pick<Store, 'connection'> & { isOneOfMany: boolean }

/**
 * The last screen of each attempt that this process has rendered. While its connection to the store holds,
 * nothing else can be rendered there without a higher revision; a restore of the store breaks the connection.
 * With several replicas an older question may still be on its way from another one, so only Telegram knows.
 */
export function createRendered({ connection, isOneOfMany }: RenderedDeps) {
  const screens = createBoundedMap<string, Known>(SCREENS_KNOWN)
  const begun = createBoundedMap<string, number>(SCREENS_KNOWN)
  const underWay = new Set<string>()

  function known(s: string, revision: number) {
    const rendered = screens.get(s)
    const isWitness = rendered?.isSure && rendered.connection === connection()
    return isWitness && rendered.revision === revision ? rendered : undefined
  }

  return {
    /**
     * Called before the attempt is read; the returned function notes the outcome, however late. A screen that
     * an earlier run of the update sent is not sent again, so it proves nothing: others may have rendered
     * there since, and the store may have forgotten them.
     */
    begin(s: string, { hasSent }: { hasSent: boolean } = { hasSent: false }): Note {
      const since = connection()
      const begunAt = performance.now()
      begun.set(s, begunAt)
      return (screen, dated, sentAt = begunAt) => {
        const { messageId, revision } = screen
        const before = screens.get(s)
        // The screen already showed it.
        if (!hasSent && !dated && known(s, revision)?.messageId === messageId) return
        const isMixed = before && before.endedAt > sentAt && !(before.isSure && before.revision === revision)
        const isSure = !hasSent && !isMixed
        const endedAt = performance.now()
        screens.set(s, { messageId, revision, dated, begunAt, endedAt, connection: since, isSure })
      }
    },
    /** Sends a screen without the chat waiting. Until its end, and after a failure, only Telegram knows. */
    async sending<T>(s: string, send: (sentAt: number) => Promise<T>): Promise<T> {
      underWay.add(s)
      try {
        return await send(performance.now())
      } catch (error) {
        const before = screens.get(s)
        if (before) screens.set(s, { ...before, endedAt: performance.now(), isSure: false })
        throw error
      } finally {
        underWay.delete(s)
      }
    },
    /** Whether the screen surely shows this revision; `false` if only Telegram knows. */
    shows(s: string, { messageId, revision }: Screen): boolean {
      const rendered = known(s, revision)
      const isKnown = !isOneOfMany && !underWay.has(s) && rendered?.connection !== undefined
      return isKnown && rendered.messageId === messageId
    },
    /** Where and when this process showed this revision, if it was the last to do so as far as it knows. */
    showing: (s: string, revision: number): Witness | undefined => known(s, revision),
    /** When this process last began to render an attempt, even if that has not ended. */
    begunAt: (s: string) => begun.get(s),
  }
}
