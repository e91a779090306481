import { LRUCache } from 'lru-cache'

/** Remembers up to `most` values, least recently used ones leave first. Memory is allocated as it fills. */
export const createBoundedMap = <K extends string | number, V extends object | number | true>(most: number) =>
  new LRUCache<K, V>({ maxSize: most, sizeCalculation: () => 1 })
