import { compareKeyring, ForeignKeyringError, type Keyring } from './keyring.ts'
import { createMemory } from './memory.ts'
import type { Entry, Store } from './store.ts'
import { unknownKeys } from './vault.ts'

const REMEMBERED = 20_000
/** No sealed value. */
const NO_VALUE = Buffer.alloc(0)

/**
 * Detects a value that this process replaced and that somebody has put back. It is then read as a value that
 * opens as no document. After a reconnect, or in a new life of the store, it is valid again.
 */
export async function refuseReplaced(store: Store, onAlarm: (problem: string) => void): Promise<Store> {
  /** Replaced versions (each has one write only), with this process's count of commits at that time. */
  const replaced = createMemory<string, number>(REMEMBERED)
  let commits = 0
  let [connection, life] = [store.connection(), await store.life()]

  /** Forgets the versions after a reconnect; `false` if the connection is unknown. */
  function isConnected(): boolean {
    const current = store.connection()
    if (current !== connection) replaced.clear()
    connection = current
    return current !== undefined
  }

  /** A read that began before a commit may end after it, so only a later read proves that a value is back. */
  const isBack = (entry: Entry | undefined, since: number) =>
    entry !== undefined && isConnected() && (replaced.get(entry.version) ?? Infinity) <= since

  async function refuse(entry: Entry | undefined, since: number): Promise<Entry | undefined> {
    if (!entry || !isBack(entry, since)) return entry
    const current = await store.life()
    if (current !== life) replaced.clear()
    life = current
    if (!isBack(entry, since)) return entry
    onAlarm('a value that was replaced is back in the store: somebody has put it there')
    return { ...entry, value: NO_VALUE }
  }

  return {
    ...store,
    async read(keys) {
      const since = commits
      const entries = await store.read(keys)
      return entries.some((entry) => isBack(entry, since))
        ? Promise.all(entries.map((entry) => refuse(entry, since)))
        : entries
    },
    async readAt(key) {
      const since = commits
      const { at, entry } = await store.readAt(key)
      return { at, entry: await refuse(entry, since) }
    },
    async commit(claim, commit) {
      const { expects = [], writes = [] } = commit
      const outcome = await store.commit(claim, commit)
      if (outcome !== 'ok' || !isConnected()) return outcome
      const written = new Set(writes.map(({ key }) => key))
      commits += 1
      for (const { key, version } of expects) if (version && written.has(key)) replaced.set(version, commits)
      return outcome
    },
  }
}

/** The bot that has this store. Copies omit it, so that they can be restored for another bot. */
const BOT = '#bot'

/** The store in Redis belongs to another bot. */
export class ForeignStoreError extends Error {
  override readonly name = 'ForeignStoreError'
}

/** Claims a store for a bot; throws a `ForeignStoreError` if another bot has it, whose chats it would get. */
export async function claimStore(store: Pick<Store, 'read' | 'put'>, bot: string): Promise<void> {
  if (!(await store.put({ key: BOT, value: Buffer.from(bot) }, null))) await refuseForeign(store, bot)
}

/** Throws a `ForeignStoreError` when another bot has the store. */
export async function refuseForeign(store: Pick<Store, 'read'>, bot: string): Promise<void> {
  const [entry] = await store.read([BOT])
  if (!entry || entry.value.toString() === bot) return
  throw new ForeignStoreError(
    'REDIS_URL has the store of another bot: give each a database of its own (redis://…/1), or hand it over: redis-cli del {porsa}#bot',
  )
}

const COMPARED_EVERY_MS = 15_000
/** The minimum time between two lookups of an unknown key number. */
const SOUGHT_EVERY_MS = 1_000

type GuardOptions = {
  store: Store
  dataKeys: readonly Buffer[]
  keyring: Keyring
  /** The store came back with an older keyring, and the newer keys were written back. */
  onRestored: () => void
}

type GuardedStore = Store & {
  /** To be called whenever the store may have come back changed. */
  compare(): Promise<void>
  /** Resolves when the store came back with another keyring: all operations reject from then on. */
  failed: Promise<Error>
}

/**
 * Makes sure that the store has the keyring of this process. They are compared at every ping, every few
 * seconds, and after the store was away, before any other operation; while the store has no keyring,
 * operations reject. Keys that other processes made are loaded before a value that needs them is returned.
 */
export function guardKeyring(options: GuardOptions): GuardedStore {
  const { store, keyring } = options
  const gate = createGate(options)
  const { compare, open } = gate
  const learn = createLearner(keyring, gate)
  const timer = setInterval(() => void compare().catch(() => undefined), COMPARED_EVERY_MS).unref()

  return {
    ...store,
    compare,
    failed: gate.failed,
    read: (keys) =>
      open(async () => {
        const entries = await store.read(keys)
        await learn(entries.map((entry) => entry?.value))
        return entries
      }),
    claim: (leaseMs, kinds) =>
      open(async () => {
        const claim = await store.claim(leaseMs, kinds)
        await learn([claim?.message.body])
        return claim
      }),
    readAt: (...args) => open(() => store.readAt(...args)),
    put: (...args) => open(() => store.put(...args)),
    post: (...args) => open(() => store.post(...args)),
    renew: (...args) => open(() => store.renew(...args)),
    suspect: (...args) => open(() => store.suspect(...args)),
    begin: (...args) => open(() => store.begin(...args)),
    commit: (...args) => open(() => store.commit(...args)),
    answer: (...args) => open(() => store.answer(...args)),
    async ping() {
      await store.ping()
      await compare()
    },
    close() {
      clearInterval(timer)
      return store.close()
    },
  }
}

type Gate = ReturnType<typeof createGate>

/** Holds all operations while the keyring is compared, and rejects them once it was another one. */
function createGate({ store, dataKeys, keyring, onRestored }: GuardOptions) {
  let comparison: Promise<void> | undefined
  /** The comparisons that began, and the last of them that passed. */
  const doubts = { begun: 0, ended: 0 }
  let foreign: Error | undefined
  let fail: (error: Error) => void
  const failed = new Promise<Error>((resolve) => {
    fail = resolve
  })

  async function compareNow(): Promise<void> {
    doubts.begun += 1
    const own = doubts.begun
    try {
      if ((await compareKeyring(store, dataKeys, keyring)) === 'restored') onRestored()
      doubts.ended = Math.max(doubts.ended, own)
    } catch (error) {
      if (error instanceof ForeignKeyringError) {
        foreign = error
        fail(error)
      }
      throw error
    }
  }

  /** Compares the keyrings. Other operations wait meanwhile. */
  async function compare(): Promise<void> {
    if (foreign) throw foreign
    const comparing = compareNow()
    const passed = comparing.catch(() => undefined)
    comparison = passed
    await passed
    if (comparison === passed) comparison = undefined
    return comparing
  }

  return {
    failed,
    passed: () => comparison,
    compare,
    async open<T>(operation: () => Promise<T>): Promise<T> {
      await comparison
      // A store that did not answer may have lost the keys that seal the next value, or everything.
      if (doubts.ended < doubts.begun) await compare()
      if (foreign) throw foreign
      return operation()
    },
  }
}

/** Loads unknown keys before the values sealed with them are returned; rejects if that fails. */
function createLearner(keyring: Keyring, { passed, compare }: Gate) {
  const soughtAt = new Map<number, number>()

  return async (values: (Buffer | undefined)[]): Promise<void> => {
    const unknown = () => values.flatMap((value) => (value ? unknownKeys(keyring, value) : []))
    if (unknown().length === 0) return
    await passed()
    const at = Date.now()
    const sought = unknown().filter((number) => at - (soughtAt.get(number) ?? 0) >= SOUGHT_EVERY_MS)
    if (sought.length === 0) return
    await compare()
    for (const number of sought) soughtAt.set(number, at)
  }
}
