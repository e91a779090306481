import type { z } from 'zod'
import { ifReadable, readable } from '../domain/unreadable.ts'
import type { Store } from './store.ts'
import type { Vault } from './vault.ts'

/** A kind of value that is stored as sealed JSON under `<prefix>:<id>`. `T` is its content. */
export type DocumentKind<T> = {
  prefix: string
  /** Grows when the shape changes; stored with each value. */
  version: number
  /** Reads a value of this, an earlier or a later version as far as it fits; throws an `Error` otherwise. */
  read(value: unknown, version: number): T
  /** When the document expires, counted from a write; `undefined` is never. */
  expiresAt?(value: T, at: Term): number | undefined
  /** The document's list and since when (default: its arrival). A commit that changes it updates the list. */
  list?(value: T, vault: Vault): ListEntry
  /** Its id is the hash of its content: a document that was read is never written again. */
  isImmutable?: true
  /** Replaced when it is unreadable: it costs little, can be fetched again, or everyone depends on it. */
  isReplaceable?: true
}

/** A place in a list (see `store.ts`); `null`: in no list. */
export type ListEntry = { id: string; list: string | null; at?: number | undefined } | undefined

/** The basis of all terms: milliseconds since 1970, and the organizer's `RETENTION_DAYS`. */
export type Term = { now: number; retentionDays: number }

/** Upgrades a value by one version; index 0 upgrades from version 1 to 2. */
type Upgrade = (value: unknown) => unknown

type Definition<T> = { schema: z.ZodType<T>; upgrades?: readonly Upgrade[] } & Pick<
  DocumentKind<NoInfer<T>>,
  'expiresAt' | 'list' | 'isImmutable' | 'isReplaceable'
>

/**
 * Defines a kind of document: its content, its term and the upgrades from earlier versions. Its version is
 * one more than the number of upgrades.
 */
export function document<T>(
  prefix: string,
  { schema, upgrades = [], ...rest }: Definition<T>,
): DocumentKind<T> {
  const current = upgrades.length + 1
  return {
    prefix,
    version: current,
    read(value, version) {
      // A later version only adds fields: those unknown to this version are dropped.
      try {
        return schema.parse(
          upgrades.slice(Math.max(version, 1) - 1).reduce((old, upgrade) => upgrade(old), value),
        )
      } catch {
        // The schema's error message may repeat stored content, so it is not passed on.
        throw new Error(`a kept value (${prefix}) is not what it should be`)
      }
    },
    ...rest,
  }
}

/** The store key of a document. */
export const documentKey = ({ prefix }: { prefix: string }, id: string): string => `${prefix}:${id}`

/** What reading documents outside of a unit of work needs. */
export type Kept = { store: Pick<Store, 'read'>; vault: Vault }
/** A value that was sealed for a version opens only with that version. */
type Sealed = { value: Buffer; version?: string }

/** Reads one document outside of a unit of work. */
export async function readDocument<T>({ store, vault }: Kept, kind: DocumentKind<T>, id: string) {
  const [entry] = await store.read([documentKey(kind, id)])
  return entry && openDocument(vault, kind, id, entry)
}

/** Writes one document outside of a unit of work, even if it exists: for content that its id names. */
export async function putDocument<T>(
  { store, vault, term }: { store: Pick<Store, 'read' | 'put'>; vault: Vault; term: Term },
  kind: DocumentKind<T>,
  id: string,
  value: T,
): Promise<void> {
  const key = documentKey(kind, id)
  const [entry] = await store.read([key])
  const expiresAt = kind.expiresAt?.(value, term)
  const write = {
    key,
    value: sealDocument(vault, kind, id, value),
    ...(expiresAt !== undefined && { expiresAt }),
  }
  // If another process has written the document meanwhile, its content is the same.
  await store.put(write, entry?.version ?? null)
}

/** Reads documents of one kind at once, outside of a unit of work; `undefined` for unreadable ones. */
export async function readDocuments<T>(kept: Kept, kind: DocumentKind<T>, ids: readonly string[]) {
  const entries = await kept.store.read(ids.map((id) => documentKey(kind, id)))
  return ids.map((id, index) => {
    const entry = entries[index]
    return entry && ifReadable(() => openDocument(kept.vault, kind, id, entry))
  })
}

/** Reads documents one by one, with the interface of a unit of work. */
export const readingOf = (kept: Kept) => ({
  vault: kept.vault,
  get: async <T>(kind: DocumentKind<T>, id: string) => (await readDocuments(kept, kind, [id]))[0],
})

/** Opens a stored document; throws an `UnreadableError` if it was changed, moved or cannot be read. */
export const openDocument = <T>(vault: Vault, kind: DocumentKind<T>, id: string, entry: Sealed): T =>
  readable(() => {
    const kept: unknown = JSON.parse(openKept(vault, documentKey(kind, id), entry).toString('utf8'))
    return isVersioned(kept) ? kind.read(kept.d, kept.v) : kind.read(kept, 1)
  })

/** Seals a document for its key. If a version is given, it opens only as that version of the document. */
export function sealDocument<T>(
  vault: Vault,
  kind: DocumentKind<T>,
  id: string,
  value: T,
  version?: string,
): Buffer {
  const json = JSON.stringify(kind.version === 1 ? value : { v: kind.version, d: value })
  return vault.seal(placeOf(documentKey(kind, id), version), Buffer.from(json))
}

const placeOf = (key: string, version: string | undefined): string =>
  version === undefined ? key : `${key}@${version}`

/** Opens a stored value. Earlier releases, and `putDocument`, sealed values for the key alone. */
export function openKept(vault: Vault, key: string, { value, version }: Sealed): Buffer {
  try {
    return vault.open(placeOf(key, version), value)
  } catch {
    return vault.open(key, value)
  }
}

/** The first version of a kind is stored without its number. */
const isVersioned = (kept: unknown): kept is { v: number; d: unknown } =>
  typeof kept === 'object' && kept !== null && 'v' in kept && 'd' in kept && typeof kept.v === 'number'

/** Seals the body of a message for its actor. */
export const sealBody = (vault: Vault, actor: string, body: unknown): Buffer =>
  vault.seal(actor, Buffer.from(JSON.stringify(body)))

/** Opens a body sealed for this actor, else throws an `UnreadableError`. The caller checks its schema. */
export const openBody = (vault: Vault, actor: string, body: Buffer): unknown =>
  readable(() => JSON.parse(vault.open(actor, body).toString('utf8')))
