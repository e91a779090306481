import { LRUCache } from 'lru-cache'
import type { Store } from '../store/store.ts'

type Screen = { messageId: number; revision: number }

/**
 * What this process has drawn last of each sitting. As long as its connection to the store holds nobody can have drawn
 * anything else there without raising the revision; a store that was put back has broken the connection. Where several
 * replicas draw, an older question may still be on its way from another one: there only Telegram knows.
 */
export type Drawn = {
  /**
   * Before what is to be drawn is read: notes what has become of it, however much later. What an earlier attempt has sent is
   * not sent again, so it is no witness: others may have drawn there since, and the store may have forgotten them.
   */
  begin(s: string, attempt?: { hasSaid: boolean }): (screen: Screen) => void
  /** Whether the screen surely shows this revision; `false` where only Telegram knows. */
  shows(s: string, screen: Screen): boolean
}

const SCREENS_KNOWN = 5_000

type DrawnDeps = Pick<Store, 'connection'> & { isOneOfMany: boolean }

export function createDrawn({ connection, isOneOfMany }: DrawnDeps): Drawn {
  const screens = new LRUCache<string, Screen & { connection: number }>({ max: SCREENS_KNOWN })
  return {
    begin(s, { hasSaid } = { hasSaid: false }) {
      const since = hasSaid || isOneOfMany ? undefined : connection()
      return (screen) => {
        if (since === undefined) screens.delete(s)
        else screens.set(s, { ...screen, connection: since })
      }
    },
    shows(s, { messageId, revision }) {
      const drawn = screens.get(s)
      return (
        drawn?.messageId === messageId && drawn.revision === revision && drawn.connection === connection()
      )
    },
  }
}
