import type { Config } from './config.ts'
import { findDataKeys, keyAdvice, loadDataKeys } from './storage/data-key.ts'
import { forgottenAdvice } from './storage/forgotten-list.ts'
import { findKeyring, loadKeyring } from './storage/keyring.ts'
import { guardKeyring } from './storage/keyring-guard.ts'
import { refuseReplaced } from './storage/replaced-values.ts'
import { createSqliteStore } from './storage/sqlite.ts'
import { makeFolder } from './storage/sqlite-database.ts'
import type { Store } from './storage/store.ts'
import { createVault } from './storage/vault.ts'

/** The opened storage. */
export type Storage = Awaited<ReturnType<typeof openStorage>>

type StorageOptions = {
  now?: (() => number) | undefined
  /** The corrected time, for use without `now`: for reads, and for the store that only this process has. */
  clock?: (() => number) | undefined
  /** Called with a problem that an operator has to look into. */
  onAlarm?: (problem: string) => void
}

/**
 * Opens the storage that the configuration names: Redis, never falling back, or the embedded store. Without
 * `now` leases in Redis follow its own clock, which all replicas share. `failed` resolves when it has become
 * another storage, which can keep nothing more.
 */
export async function openStorage(config: Config, options: StorageOptions = {}) {
  // The key lies beside this folder by default: an error should name the folder that was set.
  if (!config.redisUrl) await makeFolder(config.dataDir)
  const { store, ...rest } = config.redisUrl
    ? await openShared(config.redisUrl, await loadDataKeys(config), options)
    : await openEmbedded(config, options)
  const advice = async () => [
    ...(await keyAdvice(config)),
    ...(await forgottenAdvice(config)),
    ...(await store.advice()),
  ]
  const guarded = await refuseReplaced(store, (problem) => options.onAlarm?.(problem))
  return { ...rest, store: { ...guarded, advice } }
}

async function openEmbedded(config: Config, { now, clock = Date.now }: StorageOptions) {
  const store = await createSqliteStore({
    dir: config.dataDir,
    now: now ?? clock,
    elapsed: now ?? (() => performance.now()),
  })
  const load = async () => {
    const dataKeys = await findDataKeys(config)
    // A key is made only for a store without a keyring: a new one would not open what is kept.
    const isKept = (await findKeyring(store, dataKeys)) !== undefined
    return loadKeyring(store, isKept ? dataKeys : await loadDataKeys(config))
  }
  const vault = createVault(await load().catch(closing(store)))
  // This process has the file to itself: no other one replaces it.
  return { store, vault, failed: new Promise<never>(() => {}) }
}

async function openShared(url: string, dataKeys: readonly Buffer[], { now, clock, onAlarm }: StorageOptions) {
  // Loading the client takes a tenth of a start, and most bots have no Redis.
  const { createRedisStore } = await import('./storage/redis.ts')
  const shared = await createRedisStore({ url, ...(now && { now }), ...(clock && { clock }) })
  const keyring = await loadKeyring(shared, dataKeys).catch(closing(shared))
  const onRestored = () => onAlarm?.('Redis came back with an older keyring: it has the newer keys again')
  const store = guardKeyring({ store: shared, dataKeys, keyring, onRestored })
  // At `close`, too: what waits for the connection to come back also waits for the comparison.
  for (const event of ['close', 'ready'])
    shared.redis.on(event, () => void store.compare().catch(() => undefined))
  // Redis may have come back changed since the keyring was read.
  await store.compare().catch(closing(store))
  return { store, vault: createVault(keyring), failed: store.failed }
}

/** Closes the store of a start that failed. */
const closing = (store: Store) => async (error: unknown) => {
  await store.close()
  throw error
}
