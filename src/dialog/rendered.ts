import { createMemory } from '../storage/memory.ts'
import type { Store } from '../storage/store.ts'
import type { Dated } from '../telegram/sender.ts'

type Screen = { messageId: number; revision: number }

/**
 * Where a question was shown and, as far as that is known, when by Telegram's own clock. `begunAt`, `endedAt`: before and after
 * which this process has had it shown, by what it had run (`performance.now()`).
 */
export type Witness = { messageId: number; dated?: Dated | undefined; begunAt?: number; endedAt?: number }

/**
 * What this process has rendered last of each attempt. As long as its connection to the store holds nobody can have rendered
 * anything else there without raising the revision; a store that was put back has broken the connection. Where several
 * replicas draw, an older question may still be on its way from another one: there only Telegram knows.
 */
export type Rendered = {
  /**
   * Before what is to be rendered is read: notes what has become of it, however much later. What an earlier attempt has sent is
   * not sent again, so it is no witness: others may have rendered there since, and the store may have forgotten them.
   */
  begin(s: string, attempt?: { hasSent: boolean }): (screen: Screen, dated: Dated | undefined) => void
  /** Whether the screen surely shows this revision; `false` where only Telegram knows. */
  shows(s: string, screen: Screen): boolean
  /** When and where this process has shown this revision, if it was the last to do so as far as it knows. */
  showing(s: string, revision: number): Witness | undefined
  /** When it last began to show anything of an attempt, whether that has ended or not. */
  begunAt(s: string): number | undefined
}

const SCREENS_KNOWN = 5_000

type RenderedDeps = Pick<Store, 'connection'> & { isOneOfMany: boolean }

export function createRendered({ connection, isOneOfMany }: RenderedDeps): Rendered {
  const screens = createMemory<string, Screen & Witness & { connection: number | undefined }>(SCREENS_KNOWN)
  const begun = createMemory<string, number>(SCREENS_KNOWN)

  function known(s: string, revision: number) {
    const rendered = screens.get(s)
    return rendered?.revision === revision && rendered.connection === connection() ? rendered : undefined
  }

  return {
    begin(s, { hasSent } = { hasSent: false }) {
      const since = connection()
      const begunAt = performance.now()
      begun.set(s, begunAt)
      return (screen, dated) => {
        const before = known(s, screen.revision)
        if (hasSent) screens.delete(s)
        // It stood there already.
        else if (!dated && before?.messageId === screen.messageId) return
        else screens.set(s, { ...screen, dated, begunAt, endedAt: performance.now(), connection: since })
      }
    },
    shows(s, { messageId, revision }) {
      const rendered = known(s, revision)
      return !isOneOfMany && rendered?.connection !== undefined && rendered.messageId === messageId
    },
    showing: known,
    begunAt: (s) => begun.get(s),
  }
}
