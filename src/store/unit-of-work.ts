import { type DocumentKind, documentKey, openDocument, sealBody, sealDocument } from './documents.ts'
import type { Claim, Commit, Post, Store, Write } from './store.ts'
import type { Vault } from './vault.ts'

/** What the handler of one message reads and writes. */
export type UnitOfWork = {
  readonly claim: Claim
  get<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined>
  /** Reads a document that must not change before the commit, although it is not written here. */
  guard<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined>
  put<T>(kind: DocumentKind<T>, id: string, value: T, expiresAt?: number): void
  remove(kind: DocumentKind<unknown>, id: string): void
  /** Writes bytes that are no document (a sitting). */
  putBytes(key: string, value: Buffer | null, expiresAt?: number): void
  post(actor: string, body: object, options?: { id?: string; dueAt?: number; replace?: boolean }): void
  commit(
    end?: Pick<Commit, 'retryAt' | 'countsAsRetry'> & { retryBody?: object },
  ): Promise<'ok' | 'lost' | 'conflict'>
}

/**
 * Collects all that the handling of one message writes and posts, and commits it in one step with the end of the
 * message. A document that was read is written only if nobody wrote it in between.
 */
export function createUnitOfWork(deps: { store: Store; vault: Vault }, claim: Claim): UnitOfWork {
  const { store, vault } = deps
  const versions = new Map<string, string | null>()
  const values = new Map<string, unknown>()
  const writes = new Map<string, Write>()
  const guarded = new Set<string>()
  const posts: Post[] = []

  async function get<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined> {
    const key = documentKey(kind, id)
    if (!values.has(key)) {
      const [entry] = await store.read([key])
      versions.set(key, entry?.version ?? null)
      values.set(key, entry && openDocument(vault, key, entry))
    }
    return values.get(key) as T | undefined
  }

  return {
    claim,
    get,
    guard(kind, id) {
      guarded.add(documentKey(kind, id))
      return get(kind, id)
    },
    put(kind, id, value, expiresAt) {
      const key = documentKey(kind, id)
      values.set(key, value)
      writes.set(key, {
        key,
        value: sealDocument(vault, key, value),
        ...(expiresAt === undefined ? {} : { expiresAt: Math.round(expiresAt) }),
      })
    },
    remove(kind, id) {
      const key = documentKey(kind, id)
      values.set(key, undefined)
      writes.set(key, { key, value: null })
    },
    putBytes(key, value, expiresAt) {
      writes.set(key, {
        key,
        value,
        ...(expiresAt === undefined ? {} : { expiresAt: Math.round(expiresAt) }),
      })
    },
    post(actor, body, { id, dueAt, replace } = {}) {
      posts.push({
        actor,
        id: id ?? `${claim.message.id}>${claim.fence}>${posts.length}`,
        body: sealBody(vault, actor, body),
        ...(dueAt === undefined ? {} : { dueAt: Math.round(dueAt) }),
        ...(replace === undefined ? {} : { replace }),
      })
    },
    commit({ retryBody, ...end } = {}) {
      return store.commit(claim, {
        expects: [...versions]
          .filter(([key]) => writes.has(key) || guarded.has(key))
          .map(([key, version]) => ({ key, version })),
        writes: [...writes.values()],
        posts,
        ...end,
        ...(retryBody ? { retryBody: sealBody(vault, claim.actor, retryBody) } : {}),
      })
    },
  }
}
