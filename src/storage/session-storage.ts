import type { StorageAdapter } from 'grammy'
import { z } from 'zod'
import { DAY_MS } from '../domain/durations.ts'
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
  const keyOf = (key: string) => `session:${vault.hash(`session ${name}`, key)}`
  const kept = z.object({ until: z.number(), session: schema })

  function open(key: string, text: string): T | undefined {
    const read = kept.safeParse(unseal(vault, key, text))
    return read.success && read.data.until > now() ? read.data.session : undefined
  }

  return {
    async read(sessionKey) {
      const key = keyOf(sessionKey)
      const text = await texts.read(key)
      return text === undefined ? undefined : open(key, text)
    },
    async write(sessionKey, session) {
      const key = keyOf(sessionKey)
      const plain = Buffer.from(JSON.stringify({ until: now() + termMs, session }))
      await texts.write(key, vault.seal(key, plain).toString('base64'))
    },
    async delete(sessionKey) {
      await texts.delete(keyOf(sessionKey))
    },
  }
}

/** Whatever is wrong with a text, it is no session. */
function unseal(vault: Vault, key: string, text: string): unknown {
  try {
    return JSON.parse(vault.open(key, Buffer.from(text, 'base64')).toString('utf8'))
  } catch {
    return undefined
  }
}
