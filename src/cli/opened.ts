import { randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import { AwayError } from '../observe/away.ts'
import { errorCode } from '../observe/scrub.ts'
import { LEASE_MS } from '../queue/lease.ts'
import { findDataKeys } from '../storage/data-key.ts'
import { findKeyring } from '../storage/keyring.ts'
import { createSqliteStore } from '../storage/sqlite.ts'
import type { Store } from '../storage/store.ts'
import { createUnitOfWork, type UnitOfWork } from '../storage/unit-of-work.ts'
import { createVault, type Vault } from '../storage/vault.ts'

/** A store that was made by the bot, opened for a command. */
export type Opened = { store: Store; vault: Vault }

/**
 * Opens the store of the bot, even while the bot runs; a command makes no store and no key. Throws a readable
 * error if there is no store, or no key opens it.
 */
export async function openExisting(config: Config, mode: 'beside' | 'read' = 'beside'): Promise<Opened> {
  const store = await openStore(config, mode)
  try {
    const keyring = await findKeyring(store, await findDataKeys(config))
    if (!keyring) throw new Error('the store is empty: the bot has not been started on it yet')
    return { store, vault: createVault(keyring) }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function openStore({ redisUrl, dataDir }: Config, mode: 'beside' | 'read'): Promise<Store> {
  if (redisUrl)
    return (await import('../storage/redis.ts')).createRedisStore({ url: redisUrl, isGuest: true })
  return createSqliteStore({ dir: dataDir, now: Date.now, mode }).catch((error: unknown) => {
    const isAbsent = error instanceof Error && errorCode(error.cause) === 'ENOENT'
    throw isAbsent ? new Error('there is no store in DATA_DIR yet: start the bot first') : error
  })
}

/** No worker claims messages of this kind: the command claims its own. */
const KIND = 'command'

/** Keeps what a command makes in one step, or not at all, like the outcome of a message. */
export async function inOneStep(
  { retentionDays }: Config,
  { store, vault }: Opened,
  act: (work: UnitOfWork) => Promise<void>,
): Promise<void> {
  const id = randomUUID()
  await store.post({ actor: `${KIND}:${id}`, id, once: true, body: Buffer.alloc(0) })
  const claim = await store.claim(LEASE_MS, [KIND])
  if (!claim) throw new AwayError('another command is at work: please run this again')
  const work = createUnitOfWork({ store, vault, term: { now: Date.now(), retentionDays } }, claim)
  await act(work)
  if ((await work.commit()) !== 'ok')
    throw new AwayError('the bot has changed the same meanwhile: please run this again')
}
