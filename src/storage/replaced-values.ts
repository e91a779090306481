import { createBoundedMap } from './bounded-map.ts'
import type { Entry, Store } from './store.ts'

const REMEMBERED = 20_000
/** No sealed value. */
const NO_VALUE = Buffer.alloc(0)

/**
 * Detects a value that this process replaced and that somebody has put back. It is then read as a value that
 * opens as no document. After a reconnect, or in a new life of the store, it is valid again.
 */
export async function refuseReplaced(store: Store, onAlarm: (problem: string) => void): Promise<Store> {
  /** Replaced versions (each has one write only), with this process's count of commits at that time. */
  const replaced = createBoundedMap<string, number>(REMEMBERED)
  let commits = 0
  let [connection, life] = [store.connection(), await store.life()]

  /** Forgets the versions after a reconnect; `false` if the connection is unknown. */
  function isConnected(): boolean {
    const current = store.connection()
    if (current !== connection) replaced.clear()
    connection = current
    return current !== undefined
  }

  /** A read that began before a commit may end after it, so only a later read proves that a value is back. */
  const isBack = (entry: Entry | undefined, since: number) =>
    entry !== undefined && isConnected() && (replaced.get(entry.version) ?? Infinity) <= since

  async function refuse(entry: Entry | undefined, since: number): Promise<Entry | undefined> {
    if (!entry || !isBack(entry, since)) return entry
    const current = await store.life()
    if (current !== life) replaced.clear()
    life = current
    if (!isBack(entry, since)) return entry
    onAlarm('a value that was replaced is back in the store: somebody has put it there')
    return { ...entry, value: NO_VALUE }
  }

  return {
    ...store,
    async read(keys) {
      const since = commits
      const entries = await store.read(keys)
      return entries.some((entry) => isBack(entry, since))
        ? Promise.all(entries.map((entry) => refuse(entry, since)))
        : entries
    },
    async readAt(key) {
      const since = commits
      const { at, entry } = await store.readAt(key)
      return { at, entry: await refuse(entry, since) }
    },
    async commit(claim, commit) {
      const { expects = [], writes = [] } = commit
      const outcome = await store.commit(claim, commit)
      if (outcome !== 'ok' || !isConnected()) return outcome
      const written = new Set(writes.map(({ key }) => key))
      commits += 1
      for (const { key, version } of expects) if (version && written.has(key)) replaced.set(version, commits)
      return outcome
    },
  }
}
