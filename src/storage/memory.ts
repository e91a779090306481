import { LRUCache } from 'lru-cache'

/** Remembers so many values, and of more those that were used last; it takes room as it fills, not for all of them at once. */
export const createMemory = <K extends string | number, V extends object | number | true>(most: number) =>
  new LRUCache<K, V>({ maxSize: most, sizeCalculation: () => 1 })
