// Stands in for `@photostructure/sqlite`: the same database in memory.
import { createRequire } from 'node:module'

const real = createRequire(import.meta.url)(
  '@photostructure/sqlite',
) as typeof import('@photostructure/sqlite')

/** The open databases, the newest last. */
export const opened: InstanceType<typeof real.DatabaseSync>[] = []

export class DatabaseSync extends real.DatabaseSync {
  constructor() {
    super(':memory:')
    opened.push(this)
  }
  override close(): void {
    opened.splice(opened.indexOf(this), 1)
    super.close()
  }
}
