import type { CensusPage } from './store.ts'

/** Counts keys by their prefix; what the store keeps for itself has none. */
export function createCensus() {
  const counts: Record<string, number> = {}
  const sittings: Buffer[] = []
  return {
    /** `head`: the first bytes of a sitting. */
    count(key: string, head?: Buffer): void {
      const prefix = /^([a-z]+):/.exec(key)?.[1]
      if (prefix === undefined) return
      counts[prefix] = (counts[prefix] ?? 0) + 1
      if (head) sittings.push(head)
    },
    page: (next: string | undefined): CensusPage => ({
      counts,
      sittings,
      ...(next !== undefined && { next }),
    }),
  }
}
