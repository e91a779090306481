import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { loadConfig } from '../src/config.ts'
import { openStorage, type Storage } from '../src/open-storage.ts'
import type { World } from './world.ts'

/** How many values of a kind (its key prefix) a stopped bot has stored. */
export function keptOf({ env }: { env: Record<string, string> }, prefix: string): number {
  const db = new DatabaseSync(join(env.DATA_DIR ?? '', 'porsa.db'))
  const rows = db.prepare("SELECT key FROM entry WHERE key LIKE ? || ':%'").all(prefix)
  db.close()
  return rows.length
}

/** The names of the actors whose messages wait in the queue of a stopped bot. */
export function queuesOf({ env }: { env: Record<string, string> }): string[] {
  const db = new DatabaseSync(join(env.DATA_DIR ?? '', 'porsa.db'))
  const rows = db.prepare('SELECT DISTINCT actor AS name FROM message').all()
  db.close()
  return rows.map((row) => String(Object(row).name))
}

/** Deletes the messages that wait in these queues of a stopped bot; returns their number. */
export function loseQueues({ env }: { env: Record<string, string> }, kind: string): number {
  const db = new DatabaseSync(join(env.DATA_DIR ?? '', 'porsa.db'))
  const { changes } = db.prepare("DELETE FROM message WHERE actor LIKE ? || ':%'").run(kind)
  db.close()
  return Number(changes)
}

/** Stops the bot, opens its storage with its own keys, and starts the bot, optionally with other settings. */
export async function withStorage(
  { world }: { world: World },
  work: (storage: Storage) => Promise<void>,
  changes: Record<string, string> = {},
): Promise<void> {
  await world.stop()
  const loaded = loadConfig(world.env)
  if (!loaded.ok) throw new Error('not a configuration')
  const storage = await openStorage(loaded.config, { now: world.now })
  await work(storage)
  await storage.store.close()
  await world.start(changes)
}
