import type { Config } from './config.ts'
import { loadDataKeys } from './store/data-key.ts'
import { loadKeyring } from './store/keyring.ts'
import { createRedisStore } from './store/redis.ts'
import { createSqliteStore } from './store/sqlite.ts'
import type { Store } from './store/store.ts'
import { createVault, type Vault } from './store/vault.ts'

/**
 * Opens the storage that the configuration names: Redis, never falling back, or the embedded store. Without `now`
 * leases in Redis follow its own clock, which all replicas share.
 */
export async function openStorage(
  config: Config,
  now?: () => number,
): Promise<{ store: Store; vault: Vault }> {
  const { redisUrl, dataDir } = config
  const keys = await loadDataKeys(config)
  const store = redisUrl
    ? await createRedisStore({ url: redisUrl, ...(now && { now }) })
    : await createSqliteStore({ dir: dataDir, now: now ?? Date.now })
  try {
    return { store, vault: createVault(await loadKeyring(store, keys)) }
  } catch (error) {
    await store.close()
    throw error
  }
}
