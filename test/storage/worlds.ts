import { access, constants, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Claim, Commit, Post, Store } from '../../src/storage/store.ts'

export const start = Date.UTC(2026, 0, 5, 9)
export const second = 1_000
export const minute = 60_000
export const hour = 60 * minute

/** The kinds of actors that the stores are tested with. */
export const KINDS = ['chat', 'job', 'call', 'remind', 'poll', 'گفتگو', '']

/** A clock that only the tests move. */
export function createClock() {
  let at = start
  return {
    now: () => at,
    wait(ms: number) {
      at += ms
    },
  }
}

export type Clock = ReturnType<typeof createClock>
/** An empty store, or the store of a killed process as the next one finds it. */
export type OpenStore = (clock: Clock, killed?: Store) => Promise<Store>

export const post = (actor: string, id: string, more: Partial<Post> = {}): Post => ({
  actor,
  id,
  body: Buffer.from(id),
  ...more,
})

/** Claims the next message; there has to be one. */
export async function claimNext(store: Store): Promise<Claim> {
  const claim = await store.claim(minute, KINDS)
  if (!claim) throw new Error('nothing to claim')
  return claim
}

/** Claims the next message, ends it, and returns its id. */
export async function handleNext(store: Store, commit: Commit = {}): Promise<string | undefined> {
  const claim = await store.claim(minute, KINDS)
  if (!claim) return undefined
  await store.commit(claim, commit)
  return claim.message.id
}

/** The ids of all waiting messages, in the order in which they are handed out. */
export async function handleAll(store: Store): Promise<string[]> {
  const handled: string[] = []
  for (let id = await handleNext(store); id !== undefined; id = await handleNext(store)) handled.push(id)
  return handled
}

export async function textOf(store: Store, key: string): Promise<string | undefined> {
  const [entry] = await store.read([key])
  return entry?.value.toString()
}

/** A new folder, in memory if possible: the many fsyncs of parallel tests would wait for one disk. */
export async function temporaryFolder(): Promise<string> {
  const memory = '/dev/shm'
  const parent = await access(memory, constants.W_OK).then(
    () => memory,
    () => tmpdir(),
  )
  return mkdtemp(join(parent, 'porsa-test-'))
}
