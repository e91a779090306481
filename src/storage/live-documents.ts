import { UnreadableError } from '../domain/unreadable.ts'
import { type DocumentKind, documentKey, openDocument, sealDocument, type Term } from './documents.ts'
import type { Entry, Store, Write } from './store.ts'
import type { Vault } from './vault.ts'

export type LiveDeps = {
  store: Pick<Store, 'read'>
  vault: Vault
  term: Term
  /** Hears of a harmed value that is begun anew. */
  onUnreadable?: (error: UnreadableError) => void
}

type Live = {
  value: unknown
  /** As it was read, to be compared with; `undefined` when it is to be written in any case. */
  before: string | undefined
  /** `null`: there was none; `undefined`: nobody has looked. */
  version: Version
  write: () => Write
}
type Version = string | null | undefined

export type LiveDocuments = {
  /** The live copy of a document. */
  get<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined>
  /** Begins a document, or puts another one in its place. Returns the live copy. */
  put<T>(kind: DocumentKind<T>, id: string, value: T): T
  /** Begins the term of a document anew, although it has not changed. */
  touch<T>(kind: DocumentKind<T>, id: string): Promise<void>
  remove<T>(kind: DocumentKind<T>, id: string): void
  /** What was read before counts no more. */
  forget(key: string): void
  /** What is different from what was read, or new. */
  changes(): { write: Write; version: Version }[]
  /** What each was when it was read. */
  versions(): [key: string, version: Version][]
}

/**
 * The documents of one piece of work. Of each there is one live copy: whoever changes it changes it for all, and what
 * differs at the end from what was read is to be written.
 */
export function createLiveDocuments({ store, vault, term, onUnreadable }: LiveDeps): LiveDocuments {
  const documents = new Map<string, Live>()

  function keep<T>(
    kind: DocumentKind<T>,
    id: string,
    value: T | undefined,
    read?: { before: string; version: string | null },
  ): Live {
    const key = documentKey(kind, id)
    const { before, version = documents.get(key)?.version } = read ?? {}
    const write = () =>
      value === undefined ? { key, value: null } : writeOf({ vault, term }, kind, id, value)
    const document = { value, before, version, write }
    documents.set(key, document)
    return document
  }

  async function read<T>(kind: DocumentKind<T>, id: string, key: string): Promise<Live> {
    const [entry] = await store.read([key])
    // Meanwhile somebody else in this turn may have read it: there is one live copy.
    const known = documents.get(key)
    if (known) return known
    const value = entry && openOrReplace(vault, kind, id, entry, onUnreadable)
    const before = kind.isImmutable ? IMMUTABLE : asText(value)
    return keep(kind, id, value, { before, version: entry?.version ?? null })
  }

  async function get<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined> {
    const key = documentKey(kind, id)
    const known = documents.get(key) ?? (await read(kind, id, key))
    // A key has the prefix of its kind, so what lies under it is of that kind.
    return known.value as T | undefined
  }

  return {
    get,
    put(kind, id, value) {
      keep(kind, id, value)
      return value
    },
    async touch(kind, id) {
      const value = await get(kind, id)
      if (value !== undefined) keep(kind, id, value)
    },
    remove: (kind, id) => void keep(kind, id, undefined),
    forget: (key) => void documents.delete(key),
    changes: () =>
      [...documents.values()].filter(isChanged).map(({ write, version }) => ({ write: write(), version })),
    versions: () => [...documents].map(([key, { version }]) => [key, version]),
  }
}

/** In the place of what was read: it is never compared. */
const IMMUTABLE = 'immutable'
const asText = (value: unknown): string => JSON.stringify(value) ?? ''

const isChanged = ({ value, before }: Live): boolean => before !== IMMUTABLE && before !== asText(value)

function writeOf<T>(
  { vault, term }: Pick<LiveDeps, 'vault' | 'term'>,
  kind: DocumentKind<T>,
  id: string,
  value: T,
): Write {
  const expiresAt = kind.expiresAt?.(value, term)
  const write = { key: documentKey(kind, id), value: sealDocument(vault, kind, id, value) }
  return expiresAt === undefined ? write : { ...write, expiresAt: Math.round(expiresAt) }
}

function openOrReplace<T>(
  vault: Vault,
  kind: DocumentKind<T>,
  id: string,
  entry: Entry,
  onReplaced: LiveDeps['onUnreadable'],
): T | undefined {
  try {
    return openDocument(vault, kind, id, entry)
  } catch (error) {
    if (!kind.isReplaceable || !(error instanceof UnreadableError)) throw error
    onReplaced?.(error)
    return undefined
  }
}
