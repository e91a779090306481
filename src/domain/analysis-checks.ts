import { z } from 'zod'

/** Where a survey of the list of roadmaps stands: the next page, and which roadmaps it has not shown yet. */
export const poll = z.object({
  /** None between two surveys. */
  page: z.number(),
  /** What waited when the survey began, and was not on the list so far; of one that is over, what it is unsure of. */
  missing: z.array(z.string()),
  /** What the survey before did not show either. */
  missed: z.array(z.string()),
  since: z.number(),
  /** How many the list has had at every page; none once that has changed on the way. */
  count: z.number().optional(),
  /** How many of them were seen. */
  seen: z.number(),
  /** Something on it could not be read. */
  isUnread: z.boolean().optional(),
})
export type Poll = z.infer<typeof poll>

/** The looks at analyses that are under way, and when each is due. */
export type Checks = {
  /** By record id. */
  alone: Readonly<Record<string, { at: number }>>
  /** The look at the list, while many wait. */
  list?: { at: number } | undefined
  /** No look is made before. */
  freeAt: number
}

/** After a look has ended: never more than 20 of them in a minute. */
export const CHECK_PAUSE_MS = 3_000
/** Above this many that wait at once the list of all is looked at, and each alone only now and then. */
export const MOST_ALONE = 20
/** So few are each looked at alone again. */
export const FEW = 15
/** Then looks at each keep so much distance, which leaves the time between them to the list. */
const LISTED_SPACING_MS = 4 * CHECK_PAUSE_MS
const FIRST_LOOK_AFTER = 5

/** What is looked at next, and when: one roadmap or, without `s`, the list. Of what is due the list comes last. */
export function nextCheck(
  { alone, list, freeAt }: Checks,
  now: number,
): { at: number; s?: string } | undefined {
  const from = Math.max(freeAt, now)
  const [first] = inOrder(alone)
  if (!list || (first && first.at <= Math.max(list.at, from)))
    return first && { ...first, at: Math.max(first.at, from) }
  return { at: Math.max(list.at, from) }
}

/** When a roadmap is looked at alone: after five intervals at first, then after each; while many wait behind all others. */
export function nextAlone(
  { alone, list }: Checks,
  {
    s,
    now,
    pollMs,
    isFirst = false,
  }: { s: string; now: number; pollMs: number; isFirst?: boolean | undefined },
): number {
  const at = now + (isFirst ? FIRST_LOOK_AFTER : 1) * pollMs
  const last = inOrder(alone).findLast((other) => other.s !== s)
  return list && last ? Math.max(at, last.at + LISTED_SPACING_MS) : at
}

/** Those that are looked at alone make room for the list. */
export function makeRoom(alone: Checks['alone']): void {
  let from = 0
  for (const { s } of inOrder(alone)) {
    const check = alone[s]
    if (check) check.at = Math.max(check.at, from)
    from = (check?.at ?? 0) + LISTED_SPACING_MS
  }
}

const inOrder = (alone: Checks['alone']): { s: string; at: number }[] =>
  Object.entries(alone)
    .map(([s, { at }]) => ({ s, at }))
    .toSorted((one, other) => one.at - other.at)
