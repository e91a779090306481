import { createMemory } from './memory.ts'
import type { Entry, Store } from './store.ts'

const REMEMBERED = 20_000
/** Nothing that was sealed. */
const NO_VALUE = Buffer.alloc(0)

/**
 * Refuses a value that this process has replaced and that is back: somebody has put it there. What is read in its place
 * opens as no document. Where the whole store came back older (another connection, another life) it counts again.
 */
export async function refuseReplaced(store: Store, onAlarm: (problem: string) => void): Promise<Store> {
  /** Versions that a commit of this process has replaced: each belongs to one write alone. */
  const replaced = createMemory<string, true>(REMEMBERED)
  let [connection, life] = [store.connection(), await store.life()]

  /** Whether what was replaced is known to stay so. */
  function isConnected(): boolean {
    const current = store.connection()
    if (current !== connection) replaced.clear()
    connection = current
    return current !== undefined
  }

  const isBack = (entry: Entry | undefined) =>
    entry !== undefined && isConnected() && replaced.has(entry.version)

  async function refuse(entry: Entry | undefined): Promise<Entry | undefined> {
    if (!entry || !isBack(entry)) return entry
    const current = await store.life()
    if (current !== life) replaced.clear()
    life = current
    if (!isBack(entry)) return entry
    onAlarm('a value that was replaced is back in the store: somebody has put it there')
    return { ...entry, value: NO_VALUE }
  }

  return {
    ...store,
    async read(keys) {
      const entries = await store.read(keys)
      return entries.some(isBack) ? Promise.all(entries.map(refuse)) : entries
    },
    async readAt(key) {
      const { at, entry } = await store.readAt(key)
      return { at, entry: await refuse(entry) }
    },
    async commit(claim, commit) {
      const { expects = [], writes = [] } = commit
      const outcome = await store.commit(claim, commit)
      if (outcome !== 'ok' || !isConnected()) return outcome
      const written = new Set(writes.map(({ key }) => key))
      for (const { key, version } of expects) if (version && written.has(key)) replaced.set(version, true)
      return outcome
    },
  }
}
