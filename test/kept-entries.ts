import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'

/** How many values of a kind (its prefix) a bot that was stopped has kept. */
export function keptOf({ env }: { env: Record<string, string> }, prefix: string): number {
  const db = new DatabaseSync(join(env.DATA_DIR ?? '', 'porsa.db'))
  const rows = db.prepare("SELECT key FROM entry WHERE key LIKE ? || ':%'").all(prefix)
  db.close()
  return rows.length
}
