import { UnreadableError } from '../domain/unreadable.ts'
import type { Milestone } from '../observe/metrics.ts'
import {
  type DocumentKind,
  documentKey,
  type ListEntry,
  openDocument,
  sealBody,
  sealDocument,
  type Term,
} from './documents.ts'
import {
  type Claim,
  type Commit,
  type Entry,
  type Listed,
  newVersion,
  type Post,
  type Store,
  type Write,
} from './store.ts'
import type { Vault } from './vault.ts'

/** `dueAt`: the earliest time of its claim; `replace`: drops the waiting messages of this actor. */
export type PostOptions = { dueAt?: number; replace?: boolean }
/** How the message ends: it is done, or is retried at a time, perhaps with a new body. */
export type End = Pick<Commit, 'id' | 'retryAt'> & { retryBody?: object | undefined }

type Deps = {
  store: Pick<Store, 'read' | 'commit'>
  vault: Vault
  term: Term
  /** Called for an unreadable document that is replaced. */
  onUnreadable?: (error: UnreadableError) => void
}

/** The reads and writes of the handler of one message. */
export type UnitOfWork = ReturnType<typeof createUnitOfWork>

/**
 * Collects the writes and posts of one message's handling, and commits them in one step with its end. A
 * document that was read is written only if no other process wrote it since. Each document has one live copy:
 * all code of the handling shares it, and the commit writes it if it differs from what was read.
 */
export function createUnitOfWork(deps: Deps, claim: Claim) {
  const { store, vault } = deps
  const { live, ...documents } = createLiveDocuments(deps)
  const bytes = new Map<string, Write>()
  const bytesRead = new Map<string, Version>()
  const guarded = new Set<string>()
  const recounted: Listed[] = []
  const posts: Post[] = []
  const noted: Milestone[] = []

  function guard<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined> {
    guarded.add(documentKey(kind, id))
    return documents.get(kind, id)
  }

  return {
    ...documents,
    /** For the keyed hashes of document ids. */
    vault,
    /** The live copy of a document. The commit fails if it changed elsewhere, even if it was only read. */
    guard,
    /** Reads and guards a document again after a long wait. Changes to the earlier copy are dropped. */
    rereadGuarded<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined> {
      live.delete(documentKey(kind, id))
      return guard(kind, id)
    },
    /** Reads bytes that are no document (an attempt). The commit writes them only if they did not change. */
    async readBytes(key: string): Promise<Entry | undefined> {
      const [entry] = await store.read([key])
      bytesRead.set(key, entry?.version ?? null)
      return entry
    },
    /** Writes such bytes; if they were read before, only over the version that was read. */
    putBytes: (key: string, value: Buffer | null, expiresAt?: number) =>
      void bytes.set(key, writeOf(key, value, expiresAt)),
    /** Posts a message to an actor. `queue/` and `jobs/` know its shape. */
    post(actor: string, body: object, { dueAt, replace }: PostOptions = {}): void {
      posts.push({
        actor,
        id: `${claim.message.id}>${claim.fence}>${posts.length}`,
        once: true,
        body: sealBody(vault, actor, body),
        ...(dueAt === undefined ? {} : { dueAt: Math.round(dueAt) }),
        ...(replace === undefined ? {} : { replace }),
      })
    },
    /** Puts an entry into its list, even though its document has not changed. */
    recount: (listed: Listed) => void recounted.push({ ...listed, isRecount: true }),
    /** Notes a milestone that is reported after the commit. */
    note: (milestone: Milestone) => void noted.push(milestone),
    noted: noted as readonly Milestone[],
    commit({ retryBody, ...end }: End = {}) {
      const changed = [...live.values()].filter(isChanged)
      const writes = [...changed.map(({ write }) => write()), ...bytes.values()]
      const written = new Set(writes.map(({ key }) => key))
      const read = [...[...live].map(([key, { version }]) => [key, version] as const), ...bytesRead]
      return store.commit(claim, {
        expects: read.flatMap(([key, version]) => {
          const counts = version !== undefined && (written.has(key) || guarded.has(key))
          return counts ? [{ key, version }] : []
        }),
        writes,
        lists: [...changed.flatMap((each) => each.lists()), ...recounted],
        posts,
        countsAsRetry: false,
        ...end,
        ...(retryBody ? { retryBody: sealBody(vault, claim.actor, retryBody) } : {}),
      })
    },
  }
}

type Live = {
  value: unknown
  /** The content that was read, for comparison; `undefined`: write it in any case. */
  before: string | undefined
  version: Version
  /** Its place in a list when it was read. */
  place: ListEntry
  write: () => Write
  lists: () => Listed[]
}
/** `null`: it was absent; `undefined`: it was not read. */
type Version = string | null | undefined

/** The documents of one unit of work by their keys, one live copy of each. */
function createLiveDocuments({ store, vault, term, onUnreadable }: Deps) {
  const live = new Map<string, Live>()

  function keep<T>(kind: DocumentKind<T>, id: string, value: T | undefined, read?: Partial<Live>): Live {
    const key = documentKey(kind, id)
    const { before, version = live.get(key)?.version, place = live.get(key)?.place } = read ?? {}
    const write = () => {
      if (value === undefined) return writeOf(key, null)
      const version = newVersion()
      const sealed = sealDocument(vault, kind, id, value, version)
      return { ...writeOf(key, sealed, kind.expiresAt?.(value, term)), version }
    }
    const lists = () => listsOf(place, value === undefined ? undefined : kind.list?.(value, vault), term.now)
    const document = { value, before, version, place, write, lists }
    live.set(key, document)
    return document
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

  async function read<T>(kind: DocumentKind<T>, id: string, key: string): Promise<Live> {
    const [entry] = await store.read([key])
    // Other code of this update context may have read it meanwhile: there is one live copy.
    const known = live.get(key)
    if (known) return known
    const value = entry && openOrReplace(kind, id, entry)
    const before = kind.isImmutable ? IMMUTABLE : asText(value)
    const place = value === undefined ? undefined : kind.list?.(value, vault)
    return keep(kind, id, value, { before, version: entry?.version ?? null, place })
  }

  async function get<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined> {
    const key = documentKey(kind, id)
    const known = live.get(key) ?? (await read(kind, id, key))
    // A key has the prefix of its kind, so its value is of that kind.
    return known.value as T | undefined
  }

  function put<T>(kind: DocumentKind<T>, id: string, value: T): T {
    keep(kind, id, value)
    return value
  }

  return {
    live,
    /** The live copy of a document. */
    get,
    /** Creates or replaces a document. Returns the live copy. */
    put,
    /** Restarts the term of a document that has not changed. */
    async touch<T>(kind: DocumentKind<T>, id: string) {
      const value = await get(kind, id)
      if (value !== undefined) keep(kind, id, value)
    },
    remove: <T>(kind: DocumentKind<T>, id: string) => void keep(kind, id, undefined),
  }
}

/** The changes of lists that a changed document causes. */
function listsOf(before: ListEntry, after: ListEntry, now: number): Listed[] {
  const id = (after ?? before)?.id
  const list = after?.list ?? null
  if (id === undefined || ((before?.list ?? null) === list && before?.at === after?.at)) return []
  return [{ id, list, at: after?.at ?? now }]
}

/** Marks an immutable document, which is never compared. */
const IMMUTABLE = 'immutable'
const asText = (value: unknown): string => JSON.stringify(value) ?? ''

const isChanged = ({ value, before }: Live): boolean => before !== IMMUTABLE && before !== asText(value)

const writeOf = (key: string, value: Buffer | null, expiresAt?: number): Write =>
  expiresAt === undefined ? { key, value } : { key, value, expiresAt: Math.round(expiresAt) }
