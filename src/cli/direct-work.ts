import { type DocumentKind, documentKey, openDocument, sealDocument, type Term } from '../store/documents.ts'
import type { Store } from '../store/store.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'

type Kept = { value: unknown; before: string; write: () => Promise<boolean> }

/** Documents read and written by a command, where no message is handled; a document that the bot changes meanwhile is refused. */
export function createDirectWork({ store, vault, term }: { store: Store; vault: Vault; term: Term }) {
  const kept = new Map<string, Kept>()

  function keep<T>(kind: DocumentKind<T>, id: string, value: T | undefined, version: string | null): Kept {
    const key = documentKey(kind, id)
    const document = {
      value,
      before: asText(value),
      async write() {
        const { value: changed } = document
        if (changed === undefined) return true
        const expiresAt = kind.expiresAt?.(changed, term)
        const sealed = { key, value: sealDocument(vault, kind, id, changed) }
        return store.put(
          { ...sealed, ...(expiresAt !== undefined && { expiresAt: Math.round(expiresAt) }) },
          version,
        )
      },
    }
    kept.set(key, document)
    return document
  }

  async function read<T>(kind: DocumentKind<T>, id: string): Promise<Kept> {
    const known = kept.get(documentKey(kind, id))
    if (known) return known
    const [entry] = await store.read([documentKey(kind, id)])
    return keep(kind, id, entry && openDocument(vault, kind, id, entry), entry?.version ?? null)
  }

  const work: Pick<UnitOfWork, 'get' | 'put'> = {
    // A key has the prefix of its kind, so what lies under it is of that kind.
    get: async <T>(kind: DocumentKind<T>, id: string) => (await read(kind, id)).value as T | undefined,
    put(kind, id, value) {
      const known = kept.get(documentKey(kind, id)) ?? keep<typeof value>(kind, id, undefined, null)
      known.value = value
      return value
    },
  }
  return {
    work,
    /** Writes what has changed, in the order in which it was met. Throws when somebody else was faster. */
    async flush(): Promise<void> {
      for (const document of kept.values()) {
        if (document.value === undefined || asText(document.value) === document.before) continue
        if (!(await document.write()))
          throw new Error('the bot has changed the same meanwhile: please run this again')
      }
      kept.clear()
    },
  }
}

const asText = (value: unknown): string => JSON.stringify(value) ?? ''
