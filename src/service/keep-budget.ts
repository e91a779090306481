import { HOUR_MS } from '../domain/durations.ts'
import type { Store } from '../store/store.ts'
import { LONGEST_CALL_MS, MINUTE_MS } from './budget.ts'

type Kept = Pick<Store, 'read' | 'put'>

/** How the calls of one minute are kept: the millisecond of it that each counts from. */
const TIME_BYTES = 2

/**
 * Keeps the calls of the last hour, so that a restart does not spend the hour's budget again. Each minute is a value
 * of its own that leaves when it does not count any more; a call costs the writing of its own minute.
 */
export function keepBudget(
  store: Kept,
  { name, now }: { name: string; now: () => number },
): { load: () => Promise<number[]>; save: (until: number) => void } {
  const keyOf = (minute: number) => `budget:${name}:${minute}`
  const minutes = new Map<number, number[]>()
  const unwritten = new Set<number>()
  let writing = false

  async function write(): Promise<void> {
    if (writing) return
    writing = true
    try {
      for (const minute of unwritten) {
        const value = encode(minutes.get(minute) ?? [], minute)
        unwritten.delete(minute)
        const [entry] = await store.read([keyOf(minute)])
        const expiresAt = (minute + 2) * MINUTE_MS + HOUR_MS
        await store.put({ key: keyOf(minute), value, expiresAt }, entry?.version ?? null)
      }
    } catch {
      // The store says so itself; a call more or less after a restart harms nobody.
    } finally {
      writing = false
    }
  }

  return {
    async load() {
      const last = minuteOf(now() + LONGEST_CALL_MS)
      const known = Array.from({ length: HOUR_MS / MINUTE_MS + 2 }, (_, index) => last - index)
      const entries = await store.read(known.map(keyOf))
      for (const [index, minute] of known.entries()) {
        const entry = entries[index]
        if (entry) minutes.set(minute, [...decode(entry.value, minute), ...(minutes.get(minute) ?? [])])
      }
      return [...minutes.values()].flat()
    },
    save(until) {
      const minute = minuteOf(until)
      const times = minutes.get(minute)
      if (times) times.push(until)
      else {
        for (const old of minutes.keys()) if (old < minute - 1) minutes.delete(old)
        minutes.set(minute, [until])
      }
      unwritten.add(minute)
      void write()
    },
  }
}

const minuteOf = (at: number) => Math.floor(at / MINUTE_MS)

function encode(times: readonly number[], minute: number): Buffer {
  const value = Buffer.alloc(times.length * TIME_BYTES)
  for (const [index, at] of times.entries())
    value.writeUInt16BE(Math.floor(at - minute * MINUTE_MS), index * TIME_BYTES)
  return value
}

function decode(value: Buffer, minute: number): number[] {
  return Array.from(
    { length: Math.floor(value.length / TIME_BYTES) },
    (_, index) => minute * MINUTE_MS + value.readUInt16BE(index * TIME_BYTES),
  )
}
