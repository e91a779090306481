/** What the store knows of each key: put back to a moment, it knows again what it knew then. */
export function createHistory<T>(elapsed: () => number) {
  const known = new Map<string, { at: number; value: T }[]>()
  return {
    get: (key: string): T | undefined => known.get(key)?.at(-1)?.value,
    set(key: string, value: T): void {
      const values = known.get(key) ?? []
      values.push({ at: elapsed(), value })
      known.set(key, values)
    },
    putBack(to: number): void {
      for (const [key, values] of known)
        known.set(
          key,
          values.filter(({ at }) => at < to),
        )
    },
  }
}
