import { UnreadableError } from '../domain/unreadable.ts'
import type { Milestone } from '../observe/metrics.ts'
import {
  type DocumentKind,
  documentKey,
  openDocument,
  type Place,
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

/** `dueAt`: not handed out before; `replace`: what waits for this actor is dropped. */
export type PostOptions = { dueAt?: number; replace?: boolean }
/** How the message ends: it is done, or comes again at a time, perhaps changed. */
export type End = Pick<Commit, 'id' | 'retryAt'> & { retryBody?: object | undefined }

type Deps = {
  store: Pick<Store, 'read' | 'commit'>
  vault: Vault
  term: Term
  /** Hears of a harmed value that is begun anew. */
  onUnreadable?: (error: UnreadableError) => void
}

/** What the handler of one message reads and writes. */
export type UnitOfWork = ReturnType<typeof createUnitOfWork>

/**
 * Collects all that the handling of one message writes and posts, and commits it in one step with the end of the
 * message. A document that was read is written only if nobody wrote it in between. Of each document there is one live copy:
 * whoever changes it changes it for all, and what differs at the commit from what was read is kept.
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
    /** What its keys are hashed with. */
    vault,
    /** The live copy of a document, which must not change elsewhere before the commit, although it is not written here. */
    guard,
    /** Reads once more what may have changed during a long wait, and guards that; what was read before counts no more. */
    guardAnew<T>(kind: DocumentKind<T>, id: string): Promise<T | undefined> {
      live.delete(documentKey(kind, id))
      return guard(kind, id)
    },
    /** Reads bytes that are no document (an attempt); the commit writes them only if nobody else has since. */
    async readBytes(key: string): Promise<Entry | undefined> {
      const [entry] = await store.read([key])
      bytesRead.set(key, entry?.version ?? null)
      return entry
    },
    /** Writes such bytes; where they were read before, only in the place of what was read. */
    putBytes: (key: string, value: Buffer | null, expiresAt?: number) =>
      void bytes.set(key, writeOf(key, value, expiresAt)),
    /** Puts a message into an actor's queue. `queue/` and `jobs/` know what it has to be. */
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
    /** Has something stand in the list where it belongs, although no document of it has changed. */
    recount: (listed: Listed) => void recounted.push({ ...listed, isRecount: true }),
    /** Notes what is told when this has been committed. */
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
  /** As it was read, to be compared with; `undefined` when it is to be written in any case. */
  before: string | undefined
  version: Version
  /** Where it stood in a list as it was read. */
  place: Place
  write: () => Write
  lists: () => Listed[]
}
/** `null`: there was none; `undefined`: nobody has looked. */
type Version = string | null | undefined

/** The documents of one piece of work by their keys, one live copy of each. */
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
    // Meanwhile somebody else in this update context may have read it: there is one live copy.
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
    // A key has the prefix of its kind, so what lies under it is of that kind.
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
    /** Begins a document, or puts another one in its place. Returns the live copy. */
    put,
    /** Begins the term of a document anew, although it has not changed. */
    async touch<T>(kind: DocumentKind<T>, id: string) {
      const value = await get(kind, id)
      if (value !== undefined) keep(kind, id, value)
    },
    remove: <T>(kind: DocumentKind<T>, id: string) => void keep(kind, id, undefined),
  }
}

/** What changes in the lists where a document has changed. */
function listsOf(before: Place, after: Place, now: number): Listed[] {
  const id = (after ?? before)?.id
  const list = after?.list ?? null
  if (id === undefined || ((before?.list ?? null) === list && before?.at === after?.at)) return []
  return [{ id, list, at: after?.at ?? now }]
}

/** In the place of what was read: it is never compared. */
const IMMUTABLE = 'immutable'
const asText = (value: unknown): string => JSON.stringify(value) ?? ''

const isChanged = ({ value, before }: Live): boolean => before !== IMMUTABLE && before !== asText(value)

const writeOf = (key: string, value: Buffer | null, expiresAt?: number): Write =>
  expiresAt === undefined ? { key, value } : { key, value, expiresAt: Math.round(expiresAt) }
