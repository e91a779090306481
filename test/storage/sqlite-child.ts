import { createSqliteStore } from '../../src/storage/sqlite.ts'
import { appendHandled } from './child-work.ts'

/** Handles messages until it is killed, and prints each id. */
const store = await createSqliteStore({ dir: process.env.CHILD_DIR ?? '', now: Date.now })
for (;;) {
  const handled = await appendHandled(store, 1)
  console.log(handled ?? 'idle')
  // Lets the line be printed, and a kill arrive.
  await new Promise((resolve) => setImmediate(resolve))
}
