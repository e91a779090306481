import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { loadConfig } from '../src/config.ts'
import { openStorage, type Storage } from '../src/open-storage.ts'
import type { World } from './world.ts'

/** How many values of a kind (its prefix) a bot that was stopped has kept. */
export function keptOf({ env }: { env: Record<string, string> }, prefix: string): number {
  const db = new DatabaseSync(join(env.DATA_DIR ?? '', 'porsa.db'))
  const rows = db.prepare("SELECT key FROM entry WHERE key LIKE ? || ':%'").all(prefix)
  db.close()
  return rows.length
}

/** Whatever still waits in a queue of a bot that was stopped: the names of its actors. */
export function queuesOf({ env }: { env: Record<string, string> }): string[] {
  const db = new DatabaseSync(join(env.DATA_DIR ?? '', 'porsa.db'))
  const rows = db.prepare('SELECT DISTINCT actor AS name FROM message').all()
  db.close()
  return rows.map((row) => String(Object(row).name))
}

/** Loses what waits in these queues of a bot that was stopped; how many messages that were. */
export function loseQueues({ env }: { env: Record<string, string> }, kind: string): number {
  const db = new DatabaseSync(join(env.DATA_DIR ?? '', 'porsa.db'))
  const { changes } = db.prepare("DELETE FROM message WHERE actor LIKE ? || ':%'").run(kind)
  db.close()
  return Number(changes)
}

/** Works on the storage of a bot with its own keys, while the bot does not run; it starts again, perhaps with other settings. */
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
