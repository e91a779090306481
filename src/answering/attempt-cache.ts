import type { ContextDeps } from '../dialog/update-context.ts'
import type { Attempt } from '../domain/attempt-layout.ts'
import type { PlacedQuestion } from '../domain/questionnaire.ts'
import { questionsOf } from '../domain/record/record.ts'
import { readable } from '../domain/unreadable.ts'
import { traceOf } from '../observe/logger.ts'
import { createBoundedMap } from '../storage/bounded-map.ts'
import { attemptKey, attemptOwner, openAttemptOf } from '../storage/documents/attempts.ts'
import { accountKey, recordFiles } from '../storage/documents/kinds.ts'
import { documentKey, openDocument, readingOf } from '../storage/documents.ts'
import { headingOf } from '../views/question.ts'

/** What a tap needs to know of its attempt, as far as it never changes. */
export type CachedAttempt = {
  fromId: number
  who: string
  /** The name of the account in the log. */
  trace: string
  owner: Buffer
  attempt: Pick<Attempt, 'id' | 'dataKey' | 'layout'>
  placed: readonly PlacedQuestion[]
  /** The heading of its questions, if other tests are open as well. */
  heading: string
  recommendedMinutes?: number | undefined
  /** The time of the last answer, as far as this process knows. */
  answeredAt: number
}

export type AttemptCache = ReturnType<typeof createAttemptCache>

const ATTEMPTS_KNOWN = 5_000

/** Caches the attempts in progress: only the first tap in a process reads the attempt. */
export function createAttemptCache(deps: Pick<ContextDeps, 'store' | 'vault' | 'contents'>) {
  const { store, vault, contents } = deps
  const attemptCache = createBoundedMap<string, CachedAttempt>(ATTEMPTS_KNOWN)
  const documents = readingOf(deps)

  async function read(s: string, fromId: number): Promise<CachedAttempt | undefined> {
    const [fileEntry, attemptEntry] = await store.read([documentKey(recordFiles, s), attemptKey(s)])
    if (!fileEntry || !attemptEntry) return undefined
    const file = openDocument(vault, recordFiles, s, fileEntry)
    const who = accountKey(vault, fromId)
    const content = questionsOf(file)?.content
    if (content === undefined) return undefined
    const placed = await contents.placed(documents, content)
    if (!placed) return undefined
    const attempt = openAttemptOf(vault, { who, s }, attemptEntry)
    if (!attempt) return undefined
    const { id, dataKey, layout } = attempt
    const any = { question: 0, revision: 0, option: 0 }
    readable(() => vault.attemptCipher.encryptAnswer({ id, dataKey, layout }, any))
    return {
      fromId,
      who,
      trace: traceOf(who),
      owner: attemptOwner(vault, { who, s }, attempt),
      // A copy outside of the pool, whose slice would keep 8 KB in memory for days.
      attempt: { id: Buffer.alloc(id.length, id), dataKey, layout },
      placed,
      heading: headingOf(file),
      recommendedMinutes: file.test.minutes,
      answeredAt: attempt.lastActivityAt,
    }
  }

  return {
    async get(s: string, fromId: number): Promise<CachedAttempt | undefined> {
      // A test of a roadmap may have passed to another account since.
      const known = attemptCache.get(s)
      if (known?.fromId === fromId) return known
      const cached = await read(s, fromId)
      if (cached) attemptCache.set(s, cached)
      return cached
    },
    drop: (s: string): void => void attemptCache.delete(s),
  }
}
