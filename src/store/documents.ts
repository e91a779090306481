import type { Entry, Store } from './store.ts'
import type { Vault } from './vault.ts'

/** A kind of value kept as sealed JSON under `<prefix>:<id>`. */
export type DocumentKind<T> = { prefix: string; readonly type?: T }

/** Names a kind of document; `T` is what it holds. */
export function documentKind<T>(prefix: string): DocumentKind<T> {
  return { prefix }
}

/** The key of the store that a document lies under. */
export const documentKey = (kind: DocumentKind<unknown>, id: string): string => `${kind.prefix}:${id}`

/** Reads one document outside of a unit of work. */
export async function readDocument<T>(
  store: Pick<Store, 'read'>,
  vault: Vault,
  kind: DocumentKind<T>,
  id: string,
): Promise<T | undefined> {
  const key = documentKey(kind, id)
  const [entry] = await store.read([key])
  return entry && openDocument<T>(vault, key, entry)
}

/** Reads a document from what is kept under its key; throws an `Error` when it was changed or is another's. */
export function openDocument<T>(vault: Vault, key: string, entry: Entry): T {
  return JSON.parse(vault.open(key, entry.value).toString('utf8')) as T
}

/** Turns a value into what may be kept under this key. */
export function sealDocument(vault: Vault, key: string, value: unknown): Buffer {
  return vault.seal(key, Buffer.from(JSON.stringify(value)))
}

/** Message bodies are sealed for their actor. */
export const sealBody = (vault: Vault, actor: string, body: unknown): Buffer =>
  sealDocument(vault, actor, body)

/** Reads the body of a message that was sealed for this actor; throws an `Error` for another's. */
export function openBody(vault: Vault, actor: string, body: Buffer): unknown {
  return JSON.parse(vault.open(actor, body).toString('utf8'))
}
