import { ifReadable, readable } from '../domain/unreadable.ts'
import type { Entry, Store } from './store.ts'
import type { Vault } from './vault.ts'

/** A kind of value kept as sealed JSON under `<prefix>:<id>`. `T` is what it holds. */
export type DocumentKind<T> = {
  prefix: string
  /** Raised when the shape changes; written beside each value. */
  version: number
  /** Reads a value of this or an earlier version; throws an `Error` for anything else. */
  read(value: unknown, version: number): T
  /** Until when it is kept, counted from a write of it; `undefined` is for ever. */
  expiresAt?(value: T, at: Term): number | undefined
  /** Its id is the hash of its content: one that was read is never written again. */
  isImmutable?: true
  /** Begun anew where it cannot be read: it costs little, can be had again, or everybody depends on it. */
  isReplaceable?: true
}

/** What terms are counted from: milliseconds since 1970, and the organizer's `RETENTION_DAYS`. */
export type Term = { now: number; retentionDays: number }

/** The key of the store that a document lies under. */
export const documentKey = ({ prefix }: { prefix: string }, id: string): string => `${prefix}:${id}`

/** Reads one document outside of a unit of work. */
export async function readDocument<T>(
  store: Pick<Store, 'read'>,
  vault: Vault,
  kind: DocumentKind<T>,
  id: string,
): Promise<T | undefined> {
  const [entry] = await store.read([documentKey(kind, id)])
  return entry && openDocument(vault, kind, id, entry)
}

/** Reads several documents of one kind at once, outside of a unit of work; one that is harmed is left out. */
export async function readDocuments<T>(
  store: Pick<Store, 'read'>,
  vault: Vault,
  kind: DocumentKind<T>,
  ids: readonly string[],
): Promise<(T | undefined)[]> {
  const entries = await store.read(ids.map((id) => documentKey(kind, id)))
  return ids.map((id, index) => {
    const entry = entries[index]
    return entry && ifReadable(() => openDocument(vault, kind, id, entry))
  })
}

/** Reads a document from what is kept under its key; throws an `UnreadableError` when it was changed, is another's or unreadable. */
export function openDocument<T>(vault: Vault, kind: DocumentKind<T>, id: string, { value }: Entry): T {
  return readable(() => {
    const kept: unknown = JSON.parse(vault.open(documentKey(kind, id), value).toString('utf8'))
    return isVersioned(kept) ? kind.read(kept.d, kept.v) : kind.read(kept, 1)
  })
}

/** Turns a document into what may be kept under its key. */
export const sealDocument = <T>(vault: Vault, kind: DocumentKind<T>, id: string, value: T): Buffer =>
  sealJson(
    vault,
    documentKey(kind, id),
    JSON.stringify(kind.version === 1 ? value : { v: kind.version, d: value }),
  )

/** The first version of a kind was written without its number. */
const isVersioned = (kept: unknown): kept is { v: number; d: unknown } =>
  typeof kept === 'object' && kept !== null && 'v' in kept && 'd' in kept && typeof kept.v === 'number'

/** Message bodies are sealed for their actor. */
export const sealBody = (vault: Vault, actor: string, body: unknown): Buffer =>
  sealJson(vault, actor, JSON.stringify(body))

/** Opens the body of a message that was sealed for this actor; throws an `UnreadableError` for another's. Read it by its schema. */
export function openBody(vault: Vault, actor: string, body: Buffer): unknown {
  return readable(() => JSON.parse(vault.open(actor, body).toString('utf8')))
}

const sealJson = (vault: Vault, name: string, json: string): Buffer => vault.seal(name, Buffer.from(json))
