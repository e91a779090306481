import type { StorageAdapter } from 'grammy'
import { z } from 'zod'
import { DAY_MS } from '../domain/durations.ts'
import { ifReadable } from '../domain/unreadable.ts'
import { document, documentKey, openDocument, sealDocument } from './documents.ts'
import type { Store } from './store.ts'
import type { Vault } from './vault.ts'

type Deps = { store: Pick<Store, 'sessions'>; vault: Vault; now: () => number }

/**
 * Stores organizers' grammY sessions: sealed, under a keyed hash, for a day after the last write. Sessions
 * may be lost: one that does not open, does not fit its schema or has expired is treated as absent.
 */
export function createSessionStorage<T>(
  { store, vault, now }: Deps,
  schema: z.ZodType<T>,
): StorageAdapter<T> {
  const texts = store.sessions(DAY_MS)
  const kind = document('session', { schema: z.object({ until: z.number(), session: schema }) })
  const idOf = (key: string) => vault.hash('session organizer', key)

  return {
    async read(sessionKey) {
      const id = idOf(sessionKey)
      const text = await texts.read(documentKey(kind, id))
      if (text === undefined) return undefined
      const entry = { value: Buffer.from(text, 'base64') }
      const kept = ifReadable(() => openDocument(vault, kind, id, entry))
      return kept && kept.until > now() ? kept.session : undefined
    },
    async write(sessionKey, session) {
      const id = idOf(sessionKey)
      const sealed = sealDocument(vault, kind, id, { until: now() + DAY_MS, session })
      await texts.write(documentKey(kind, id), sealed.toString('base64'))
    },
    async delete(sessionKey) {
      await texts.delete(documentKey(kind, idOf(sessionKey)))
    },
  }
}
