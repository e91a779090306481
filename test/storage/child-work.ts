import type { Store } from '../../src/storage/store.ts'
import { KINDS } from './worlds.ts'

/** Appends the next message's id to its actor's list, in the commit that ends the message. */
export async function appendHandled(store: Store, leaseMs: number): Promise<string | undefined> {
  const claim = await store.claim(leaseMs, KINDS)
  if (!claim) return undefined
  const { actor, message } = claim
  const key = `done:${actor}`
  const [entry] = await store.read([key])
  const value = Buffer.from(`${entry?.value ?? ''}${message.id};`)
  await store.commit(claim, { expects: [{ key, version: entry?.version ?? null }], writes: [{ key, value }] })
  return message.id
}
