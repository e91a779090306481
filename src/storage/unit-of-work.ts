import type { Milestone } from '../observe/milestones.ts'
import { type DocumentKind, documentKey, sealBody } from './documents.ts'
import { createLiveDocuments, type LiveDeps, type LiveDocuments } from './live-documents.ts'
import type { Claim, Commit, Entry, Post, Store, Write } from './store.ts'

/**
 * What the handler of one message reads and writes. Of each document there is one live copy: whoever changes it
 * changes it for all, and what differs at the commit from what was read is kept.
 */
export type UnitOfWork = Pick<LiveDocuments, 'get' | 'put' | 'touch' | 'remove'> & {
  /** The live copy of a document, which must not change elsewhere before the commit, although it is not written here. */
  guard<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined>
  /** Reads once more what may have changed during a long wait, and guards that; what was read before counts no more. */
  guardAnew<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined>
  /** Reads bytes that are no document (an attempt); the commit writes them only if nobody else has since. */
  readBytes(key: string): Promise<Entry | undefined>
  /** Writes such bytes; where they were read before, only in the place of what was read. */
  putBytes(key: string, value: Buffer | null, expiresAt?: number): void
  /** Puts a message into an actor's queue. `mail/` and `jobs/` know what it has to be. */
  post(actor: string, body: object, options?: PostOptions): void
  /** Notes what is told when this has been committed. */
  note(milestone: Milestone): void
  /** What was noted. */
  readonly noted: readonly Milestone[]
  commit(end?: End): Promise<'ok' | 'lost' | 'conflict'>
}

/** `dueAt`: not handed out before; `replace`: what waits for this actor is dropped. */
export type PostOptions = { dueAt?: number; replace?: boolean }
/** How the message ends: it is done, or comes again at a time, perhaps changed. */
export type End = Pick<Commit, 'id' | 'retryAt'> & { retryBody?: object | undefined }

/**
 * Collects all that the handling of one message writes and posts, and commits it in one step with the end of the
 * message. A document that was read is written only if nobody wrote it in between.
 */
export function createUnitOfWork(deps: LiveDeps & { store: Store }, claim: Claim): UnitOfWork {
  const { store, vault } = deps
  const { forget, changes, versions, ...documents } = createLiveDocuments(deps)
  const bytes = new Map<string, Write>()
  const bytesRead = new Map<string, string | null>()
  const guarded = new Set<string>()
  const posts: Post[] = []
  const noted: Milestone[] = []

  return {
    ...documents,
    guard(kind, id) {
      guarded.add(documentKey(kind, id))
      return documents.get(kind, id)
    },
    async guardAnew(kind, id) {
      forget(documentKey(kind, id))
      return this.guard(kind, id)
    },
    async readBytes(key) {
      const [entry] = await store.read([key])
      bytesRead.set(key, entry?.version ?? null)
      return entry
    },
    putBytes(key, value, expiresAt) {
      bytes.set(key, { key, value, ...(expiresAt === undefined ? {} : { expiresAt: Math.round(expiresAt) }) })
    },
    post(actor, body, { dueAt, replace } = {}) {
      posts.push({
        actor,
        id: `${claim.message.id}>${claim.fence}>${posts.length}`,
        once: true,
        body: sealBody(vault, actor, body),
        ...(dueAt === undefined ? {} : { dueAt: Math.round(dueAt) }),
        ...(replace === undefined ? {} : { replace }),
      })
    },
    note: (milestone) => void noted.push(milestone),
    noted,
    commit({ retryBody, ...end } = {}) {
      const changed = changes().map(({ write }) => write)
      const written = new Set([...changed.map(({ key }) => key), ...bytes.keys()])
      return store.commit(claim, {
        expects: [...versions(), ...bytesRead].flatMap(([key, version]) => {
          const counts = version !== undefined && (written.has(key) || guarded.has(key))
          return counts ? [{ key, version }] : []
        }),
        writes: [...changed, ...bytes.values()],
        posts,
        countsAsRetry: false,
        ...end,
        ...(retryBody ? { retryBody: sealBody(vault, claim.actor, retryBody) } : {}),
      })
    },
  }
}
