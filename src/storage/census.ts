import type { CensusPage } from './store.ts'

/** Counts keys by their prefix, each with the first bytes where it is an attempt; what the store keeps for itself has none. */
export function censusOf(
  keys: readonly { key: string; head: Buffer | undefined }[],
  next: string | undefined,
): CensusPage {
  const counts: Record<string, number> = {}
  for (const { key } of keys) {
    const prefix = /^([a-z]+):/.exec(key)?.[1]
    if (prefix !== undefined) counts[prefix] = (counts[prefix] ?? 0) + 1
  }
  const attempts = keys.flatMap(({ head }) => head ?? [])
  return { counts, attempts, ...(next !== undefined && { next }) }
}
