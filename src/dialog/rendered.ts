import { createBoundedMap } from '../storage/bounded-map.ts'
import type { Store } from '../storage/store.ts'
import type { Dated } from '../telegram/sender.ts'

type Screen = { messageId: number; revision: number }

/**
 * Where a question was shown and, as far as that is known, when by Telegram's own clock. `begunAt`, `endedAt`: before and after
 * which this process has had it shown, by what it had run (`performance.now()`).
 */
export type Witness = { messageId: number; dated?: Dated | undefined; begunAt?: number; endedAt?: number }

export type Rendered = ReturnType<typeof createRendered>

/** `sentAt`: when it was sent, if that was later than it was begun. */
type Note = (screen: Screen, dated: Dated | undefined, sentAt?: number) => void

const SCREENS_KNOWN = 5_000

/** `isSure`: nothing else was on its way to that screen that may stand there instead. */
type Known = Screen & Witness & { endedAt: number; connection: number | undefined; isSure: boolean }

type RenderedDeps = Pick<Store, 'connection'> & { isOneOfMany: boolean }

/**
 * What this process has rendered last of each attempt. As long as its connection to the store holds nobody can have rendered
 * anything else there without raising the revision; a store that was put back has broken the connection. Where several
 * replicas draw, an older question may still be on its way from another one: there only Telegram knows.
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
     * Before what is to be rendered is read: notes what has become of it, however much later. What an earlier attempt has sent
     * is not sent again, so it is no witness: others may have rendered there since, and the store may have forgotten them.
     */
    begin(s: string, { hasSent }: { hasSent: boolean } = { hasSent: false }): Note {
      const since = connection()
      const begunAt = performance.now()
      begun.set(s, begunAt)
      return (screen, dated, sentAt = begunAt) => {
        const { messageId, revision } = screen
        const before = screens.get(s)
        // It stood there already.
        if (!hasSent && !dated && known(s, revision)?.messageId === messageId) return
        const isMixed = before && before.endedAt > sentAt && !(before.isSure && before.revision === revision)
        const isSure = !hasSent && !isMixed
        const endedAt = performance.now()
        screens.set(s, { messageId, revision, dated, begunAt, endedAt, connection: since, isSure })
      }
    },
    /** Sends what the chat does not wait for: until that has ended, and after a failure, only Telegram knows what stands there. */
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
    /** Whether the screen surely shows this revision; `false` where only Telegram knows. */
    shows(s: string, { messageId, revision }: Screen): boolean {
      const rendered = known(s, revision)
      const isKnown = !isOneOfMany && !underWay.has(s) && rendered?.connection !== undefined
      return isKnown && rendered.messageId === messageId
    },
    /** When and where this process has shown this revision, if it was the last to do so as far as it knows. */
    showing: (s: string, revision: number): Witness | undefined => known(s, revision),
    /** When it last began to show anything of an attempt, whether that has ended or not. */
    begunAt: (s: string) => begun.get(s),
  }
}
