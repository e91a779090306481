import type { Config } from './config.ts'
import { loadDataKeys } from './store/data-key.ts'
import { loadKeyring } from './store/keyring.ts'
import { createRedisStore } from './store/redis.ts'
import type { RedisClient } from './store/redis-connection.ts'
import { createSqliteStore } from './store/sqlite.ts'
import type { Store } from './store/store.ts'
import { createVault, type Vault } from './store/vault.ts'

/** Where everything is kept; `redis` is the connection that all replicas have to the same one. */
export type Storage = { store: Store; vault: Vault; redis?: RedisClient }

/**
 * Opens the storage that the configuration names: Redis, never falling back, or the embedded store. Without `now`
 * leases in Redis follow its own clock, which all replicas share.
 */
export async function openStorage(config: Config, now?: () => number): Promise<Storage> {
  const { redisUrl, dataDir } = config
  const keys = await loadDataKeys(config)
  const shared = redisUrl ? await createRedisStore({ url: redisUrl, ...(now && { now }) }) : undefined
  const store = shared ?? (await createSqliteStore({ dir: dataDir, now: now ?? Date.now }))
  try {
    const vault = createVault(await loadKeyring(store, keys))
    return { store, vault, ...(shared && { redis: shared.redis }) }
  } catch (error) {
    await store.close()
    throw error
  }
}
