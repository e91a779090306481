import type { StorageAdapter } from 'grammy'
import { z } from 'zod'
import { DAY_MS } from '../domain/durations.ts'
import { ifReadable } from '../domain/unreadable.ts'
import { document, documentKey, openDocument, sealDocument } from './documents.ts'
import type { Store } from './store.ts'
import type { Vault } from './vault.ts'

type Deps = { store: Pick<Store, 'sessions'>; vault: Vault; now: () => number }

export type SessionKind<T> = {
  /** Tells the sessions of one use from those of another. */
  name: string
  schema: z.ZodType<T>
  /** How long a session is kept after it was last written. */
  termMs?: number
}

/**
 * Where grammY keeps sessions: sealed, each under a keyed hash and for its term. They hold only what may be lost, so
 * what does not open, does not fit its schema or is over is as if it were not there.
 */
export function createSessionStorage<T>(
  { store, vault, now }: Deps,
  { name, schema, termMs = DAY_MS }: SessionKind<T>,
): StorageAdapter<T> {
  const texts = store.sessions(termMs)
  const kind = document('session', { schema: z.object({ until: z.number(), session: schema }) })
  const idOf = (key: string) => vault.hash(`session ${name}`, key)

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
      const sealed = sealDocument(vault, kind, id, { until: now() + termMs, session })
      await texts.write(documentKey(kind, id), sealed.toString('base64'))
    },
    async delete(sessionKey) {
      await texts.delete(documentKey(kind, idOf(sessionKey)))
    },
  }
}
