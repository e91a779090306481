import { LRUCache } from 'lru-cache'
import type { Attempt } from '../domain/attempt.ts'
import type { PlacedQuestion } from '../domain/questionnaire.ts'
import { questionsOf } from '../domain/record/record.ts'
import { readable } from '../domain/unreadable.ts'
import { traceOf } from '../observe/trace.ts'
import { attemptKey, attemptOwner, openAttemptOf } from '../storage/documents/attempts.ts'
import { recordFiles } from '../storage/documents/kinds.ts'
import type { Contents } from '../storage/documents/questions.ts'
import { type DocumentKind, documentKey, openDocument, readDocument } from '../storage/documents.ts'
import type { Store } from '../storage/store.ts'
import type { Vault } from '../storage/vault.ts'

/** What a tap needs to know of its attempt and what never changes in it. */
export type CachedAttempt = {
  fromId: number
  who: string
  /** What the log calls the account. */
  trace: string
  owner: Buffer
  attempt: Pick<Attempt, 'id' | 'dataKey'>
  placed: readonly PlacedQuestion[]
  recommendedMinutes?: number | undefined
}

export type AttemptCache = {
  get(s: string, fromId: number): Promise<CachedAttempt | undefined>
  drop(s: string): void
}

type AttemptCacheDeps = { store: Store; vault: Vault; contents: Contents }

const SITTINGS_KNOWN = 5_000

/** Remembers the sheets of the attempts that are under way: the first tap a process sees reads, every other does not. */
export function createAttemptCache({ store, vault, contents }: AttemptCacheDeps): AttemptCache {
  const attemptCache = new LRUCache<string, CachedAttempt>({ max: SITTINGS_KNOWN })
  const documents = { get: <T>(kind: DocumentKind<T>, id: string) => readDocument(store, vault, kind, id) }

  async function read(s: string, fromId: number): Promise<CachedAttempt | undefined> {
    const [fileEntry, attemptEntry] = await store.read([documentKey(recordFiles, s), attemptKey(s)])
    if (!fileEntry || !attemptEntry) return undefined
    const file = openDocument(vault, recordFiles, s, fileEntry)
    const who = vault.hash('account', String(fromId))
    const content = questionsOf(file)?.content
    if (content === undefined) return undefined
    const placed = await contents.placed(documents, content)
    if (!placed) return undefined
    const attempt = openAttemptOf(vault, { who, s }, attemptEntry)
    if (!attempt) return undefined
    const { id, dataKey } = attempt
    readable(() =>
      vault.attemptCipher.encryptAnswer({ id, dataKey }, { question: 0, revision: 0, option: 0 }),
    )
    return {
      fromId,
      who,
      trace: traceOf(who),
      owner: attemptOwner(vault, { who, s }, attempt),
      attempt: { id: Buffer.from(id), dataKey },
      placed,
      recommendedMinutes: file.test.minutes,
    }
  }

  return {
    async get(s, fromId) {
      // A test of a roadmap may have gone to another account since.
      const known = attemptCache.get(s)
      if (known?.fromId === fromId) return known
      const cached = await read(s, fromId)
      if (cached) attemptCache.set(s, cached)
      return cached
    },
    drop: (s) => void attemptCache.delete(s),
  }
}
