import type { Store } from '../store/store.ts'

type Kept = Pick<Store, 'read' | 'put'>

const KEY = 'budget'

/** Keeps the calls of the last hour, so that a restart does not spend the hour's budget again. */
export function keepBudget(store: Kept): { load: () => Promise<number[]>; save: (grants: number[]) => void } {
  let latest: number[] | undefined
  let writing = false

  async function write(): Promise<void> {
    if (writing) return
    writing = true
    try {
      while (latest) {
        const value = Buffer.from(JSON.stringify(latest))
        latest = undefined
        const [entry] = await store.read([KEY])
        await store.put({ key: KEY, value }, entry?.version ?? null)
      }
    } catch {
      // The store says so itself; a call more or less after a restart harms nobody.
    } finally {
      writing = false
    }
  }

  return {
    async load() {
      const [entry] = await store.read([KEY])
      return entry ? (JSON.parse(entry.value.toString('utf8')) as number[]) : []
    },
    save(grants) {
      latest = grants
      void write()
    },
  }
}
