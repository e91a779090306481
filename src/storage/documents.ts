import type { z } from 'zod'
import { ifReadable, readable } from '../domain/unreadable.ts'
import type { Store } from './store.ts'
import type { Vault } from './vault.ts'

/** A kind of value kept as sealed JSON under `<prefix>:<id>`. `T` is what it holds. */
export type DocumentKind<T> = {
  prefix: string
  /** Raised when the shape changes; written beside each value. */
  version: number
  /** Reads a value of this, an earlier or a later version as far as it fits; throws an `Error` for anything else. */
  read(value: unknown, version: number): T
  /** Until when it is kept, counted from a write of it; `undefined` is for ever. */
  expiresAt?(value: T, at: Term): number | undefined
  /** Which list it stands in, and since when; without a time it is when it came there. Counted in the commit that changes it. */
  list?(value: T, vault: Vault): Place
  /** Its id is the hash of its content: one that was read is never written again. */
  isImmutable?: true
  /** Begun anew where it cannot be read: it costs little, can be had again, or everybody depends on it. */
  isReplaceable?: true
}

/** A place in a list (see `store.ts`); `null`: in none. */
export type Place = { id: string; list: string | null; at?: number | undefined } | undefined

/** What terms are counted from: milliseconds since 1970, and the organizer's `RETENTION_DAYS`. */
export type Term = { now: number; retentionDays: number }

/** Brings a value of the version before this one up to date; index 0 is from version 1 to 2. */
type Upgrade = (value: unknown) => unknown

type Definition<T> = { schema: z.ZodType<T>; upgrades?: readonly Upgrade[] } & Pick<
  DocumentKind<NoInfer<T>>,
  'expiresAt' | 'list' | 'isImmutable' | 'isReplaceable'
>

/**
 * Defines a kind of document: what it holds, how long, and how earlier versions become this one. Its version is one
 * more than its upgrades.
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
      // A later version only adds: what this one does not know is left out.
      try {
        return schema.parse(
          upgrades.slice(Math.max(version, 1) - 1).reduce((old, upgrade) => upgrade(old), value),
        )
      } catch {
        // The words of the schema may repeat what is kept, so they are not passed on.
        throw new Error(`a kept value (${prefix}) is not what it should be`)
      }
    },
    ...rest,
  }
}

/** The key of the store that a document lies under. */
export const documentKey = ({ prefix }: { prefix: string }, id: string): string => `${prefix}:${id}`

/** Where documents lie that are read outside of a unit of work. */
export type Kept = { store: Pick<Store, 'read'>; vault: Vault }
/** Where it was sealed for a version, it opens under that one only. */
type Sealed = { value: Buffer; version?: string }

/** Reads one document outside of a unit of work. */
export async function readDocument<T>({ store, vault }: Kept, kind: DocumentKind<T>, id: string) {
  const [entry] = await store.read([documentKey(kind, id)])
  return entry && openDocument(vault, kind, id, entry)
}

/** Writes one document outside of a unit of work, whatever stands there: for content that its id names. */
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
  // Where somebody else has written it meanwhile it is the same.
  await store.put(write, entry?.version ?? null)
}

/** Reads several documents of one kind at once, outside of a unit of work; one that is harmed is left out. */
export async function readDocuments<T>(kept: Kept, kind: DocumentKind<T>, ids: readonly string[]) {
  const entries = await kept.store.read(ids.map((id) => documentKey(kind, id)))
  return ids.map((id, index) => {
    const entry = entries[index]
    return entry && ifReadable(() => openDocument(kept.vault, kind, id, entry))
  })
}

/** The same one by one, as a unit of work does. */
export const readingOf = (kept: Kept) => ({
  vault: kept.vault,
  get: async <T>(kind: DocumentKind<T>, id: string) => (await readDocuments(kept, kind, [id]))[0],
})

/** Reads a document from what is kept under its key; throws an `UnreadableError` when it was changed, is another's or unreadable. */
export const openDocument = <T>(vault: Vault, kind: DocumentKind<T>, id: string, entry: Sealed): T =>
  readable(() => {
    const kept: unknown = JSON.parse(openKept(vault, documentKey(kind, id), entry).toString('utf8'))
    return isVersioned(kept) ? kind.read(kept.d, kept.v) : kind.read(kept, 1)
  })

/** Turns a document into what may be kept under its key; sealed for a version of it, it is no other's. */
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

/** Earlier versions of this program, and whoever writes what its id names, sealed for the key alone. */
export function openKept(vault: Vault, key: string, { value, version }: Sealed): Buffer {
  try {
    return vault.open(placeOf(key, version), value)
  } catch {
    return vault.open(key, value)
  }
}

/** The first version of a kind was written without its number. */
const isVersioned = (kept: unknown): kept is { v: number; d: unknown } =>
  typeof kept === 'object' && kept !== null && 'v' in kept && 'd' in kept && typeof kept.v === 'number'

/** Message bodies are sealed for their actor. */
export const sealBody = (vault: Vault, actor: string, body: unknown): Buffer =>
  vault.seal(actor, Buffer.from(JSON.stringify(body)))

/** Opens the body of a message that was sealed for this actor; throws an `UnreadableError` for another's. Read it by its schema. */
export const openBody = (vault: Vault, actor: string, body: Buffer): unknown =>
  readable(() => JSON.parse(vault.open(actor, body).toString('utf8')))
