import { UnreadableError } from '../domain/unreadable.ts'
import type { Milestone } from '../observe/milestones.ts'
import {
  type DocumentKind,
  documentKey,
  openDocument,
  sealBody,
  sealDocument,
  type Term,
} from './documents.ts'
import type { Claim, Commit, Entry, Post, Store, Write } from './store.ts'
import type { Vault } from './vault.ts'

/**
 * What the handler of one message reads and writes. Of each document there is one live copy: whoever changes it
 * changes it for all, and what differs at the commit from what was read is kept.
 */
export type UnitOfWork = {
  /** The live copy of a document. */
  get<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined>
  /** The same; it must not change elsewhere before the commit, although it is not written here. */
  guard<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined>
  /** Reads once more what may have changed during a long wait, and guards that; what was read before counts no more. */
  guardAnew<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined>
  /** Begins a document, or puts another one in its place. Returns the live copy. */
  put<T>(kind: DocumentKind<T>, id: string, value: T): T
  /** Begins the term of a document anew, although it has not changed. */
  touch<T>(kind: DocumentKind<T>, id: string): Promise<void>
  remove<T>(kind: DocumentKind<T>, id: string): void
  /** Writes bytes that are no document (a sitting). */
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
export type End = Pick<Commit, 'retryAt' | 'countsAsRetry'> & { retryBody?: object | undefined }

type Live = {
  value: unknown
  /** As it was read, to be compared with; `undefined` when it is to be written in any case. */
  before: string | undefined
  /** `null`: there was none; `undefined`: nobody has looked. */
  version: string | null | undefined
  write: () => Write
}

/**
 * Collects all that the handling of one message writes and posts, and commits it in one step with the end of the
 * message. A document that was read is written only if nobody wrote it in between.
 */
export function createUnitOfWork(
  {
    store,
    vault,
    term,
    onUnreadable,
  }: {
    store: Store
    vault: Vault
    term: Term
    /** Hears of a harmed value that is begun anew. */
    onUnreadable?: (error: UnreadableError) => void
  },
  claim: Claim,
): UnitOfWork {
  const documents = new Map<string, Live>()
  const bytes = new Map<string, Write>()
  const guarded = new Set<string>()
  const posts: Post[] = []
  const noted: Milestone[] = []

  function live<T>(
    kind: DocumentKind<T>,
    id: string,
    value: T | undefined,
    read?: { before: string; version: string | null },
  ): Live {
    const key = documentKey(kind, id)
    const write = (changed: T): Write => {
      const expiresAt = kind.expiresAt?.(changed, term)
      return {
        key,
        value: sealDocument(vault, kind, id, changed),
        ...(expiresAt === undefined ? {} : { expiresAt: Math.round(expiresAt) }),
      }
    }
    const { before, version = documents.get(key)?.version } = read ?? {}
    const document =
      value === undefined
        ? { value, before, version, write: (): Write => ({ key, value: null }) }
        : { value, before, version, write: () => write(value) }
    documents.set(key, document)
    return document
  }

  async function get<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined> {
    const key = documentKey(kind, id)
    const known = documents.get(key) ?? (await read(kind, id, key))
    // A key has the prefix of its kind, so what lies under it is of that kind.
    return known.value as T | undefined
  }

  async function read<T>(kind: DocumentKind<T>, id: string, key: string): Promise<Live> {
    const [entry] = await store.read([key])
    // Meanwhile somebody else in this turn may have read it: there is one live copy.
    const known = documents.get(key)
    if (known) return known
    const value = entry && openOrReplace(kind, id, entry)
    return live(kind, id, value, {
      before: kind.isImmutable ? 'immutable' : asText(value),
      version: entry?.version ?? null,
    })
  }

  function openOrReplace<T>(kind: DocumentKind<T>, id: string, entry: Entry): T | undefined {
    try {
      return openDocument(vault, kind, id, entry)
    } catch (error) {
      if (!kind.isReplaceable || !(error instanceof UnreadableError)) throw error
      onUnreadable?.(error)
      return undefined
    }
  }

  /** What is different from what was read, or new. */
  function changes(): Write[] {
    return [...documents.values()].flatMap(({ value, before, write }) => {
      const isSame = before !== undefined && (before === 'immutable' || before === asText(value))
      return isSame ? [] : [write()]
    })
  }

  return {
    get,
    guard(kind, id) {
      guarded.add(documentKey(kind, id))
      return get(kind, id)
    },
    async guardAnew(kind, id) {
      documents.delete(documentKey(kind, id))
      return this.guard(kind, id)
    },
    put(kind, id, value) {
      live(kind, id, value)
      return value
    },
    async touch(kind, id) {
      const value = await get(kind, id)
      if (value !== undefined) live(kind, id, value)
    },
    remove: (kind, id) => void live(kind, id, undefined),
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
      const changed = changes()
      const written = new Set(changed.map(({ key }) => key))
      return store.commit(claim, {
        expects: [...documents].flatMap(([key, { version }]) => {
          const counts = version !== undefined && (written.has(key) || guarded.has(key))
          return counts ? [{ key, version }] : []
        }),
        writes: [...changed, ...bytes.values()],
        posts,
        ...end,
        ...(retryBody ? { retryBody: sealBody(vault, claim.actor, retryBody) } : {}),
      })
    },
  }
}

const asText = (value: unknown): string => JSON.stringify(value) ?? ''
