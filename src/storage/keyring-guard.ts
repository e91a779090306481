import { compareKeyring, ForeignKeyringError, type Keyring } from './keyring.ts'
import type { Store } from './store.ts'
import { needsUnknownKey } from './vault.ts'

const COMPARED_EVERY_MS = 15_000

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
  return async (values: (Buffer | undefined)[]): Promise<void> => {
    const isUnknown = () => values.some((value) => value && needsUnknownKey(keyring, value))
    if (!isUnknown()) return
    await passed()
    if (isUnknown()) await compare()
  }
}
