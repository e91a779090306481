import { z } from 'zod'

const standing = z.object({
  /** `<replica>.<number>`. */
  id: z.string(),
  lane: z.enum(['participant', 'background']),
  /** 0 for what is under way, 1 for what nobody has claimed. */
  rank: z.number(),
  account: z.string(),
  since: z.number(),
  /** It waits for one of its account's three places. */
  isOut: z.boolean().optional(),
})
export type Standing = z.infer<typeof standing>

/** What the replicas of a key share: one value of the store. All times are those of the store's clock. */
const budgetValue = z.object({
  /** When the calls of each replica ended; thousands of them are read at every turn, so they are kept as bytes. */
  ended: z.record(z.string(), z.object({ first: z.number(), since: z.string() }).transform(timesOf)),
  /** Each call whose end nobody has told yet, and when it must have ended. */
  underWay: z.record(z.string(), z.number()),
  /** Who comes in the same millisecond stands behind. */
  waiting: z.array(standing),
  /** When the last background calls began, as many as the floor holds. */
  floor: z.array(z.number()),
  /** When the calls of the last hour began that open what nobody has claimed. */
  visits: z.array(z.number()).default([]),
  /** When each replica of those who wait was heard of, and how many more of it wait for a place in line. */
  replicas: z.record(
    z.string(),
    z.object({ at: z.number(), more: z.object({ participant: z.number(), background: z.number() }) }),
  ),
  /** What a 429 left behind. */
  pausedUntil: z.number(),
  halvedUntil: z.number(),
  pauses: z.number(),
})
export type BudgetValue = z.infer<typeof budgetValue>

/** Reads the value; what is absent or cannot be read has no past. */
export function readBudgetValue(bytes: Buffer | undefined): BudgetValue {
  try {
    return budgetValue.parse(JSON.parse(String(bytes)))
  } catch {
    const after429 = { pausedUntil: 0, halvedUntil: 0, pauses: 0 }
    return { ended: {}, underWay: {}, waiting: [], floor: [], visits: [], replicas: {}, ...after429 }
  }
}

export function budgetBytes(value: BudgetValue): Buffer {
  const ended = Object.entries(value.ended).map(([replica, times]) => [replica, bytesOf(times)])
  return Buffer.from(JSON.stringify({ ...value, ended: Object.fromEntries(ended) }))
}

/** The first time, and how many milliseconds after it each of them was. */
function bytesOf(times: readonly number[]): { first: number; since: string } {
  const [first = 0] = times
  const since = new Int32Array(times.length)
  for (const [index, at] of times.entries()) since[index] = at - first
  return { first, since: Buffer.from(since.buffer).toString('base64') }
}

function timesOf({ first, since }: { first: number; since: string }): number[] {
  const { buffer } = new Uint8Array(Buffer.from(since, 'base64'))
  const times: number[] = []
  for (const after of new Int32Array(buffer)) times.push(first + after)
  return times
}
