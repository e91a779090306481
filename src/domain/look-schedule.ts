/** When each roadmap that is being analysed is looked at next, by `S`. */
export type LookSchedule = Readonly<Record<string, number>>

/** A little over 3 s between any two looks: never more than 20 of them in a minute. */
export const LOOK_SPACING_MS = 3_100
const FIRST_LOOK_AFTER = 5
const JITTER = 0.25

/**
 * Finds the time of a roadmap's next look: after five intervals at first, then every interval ± 25 %, where the
 * interval grows with the number of roadmaps, so that looks never crowd the API budget, and never close to another look.
 */
export function nextLook(
  schedule: LookSchedule,
  {
    s,
    now,
    pollMs,
    isFirst,
    random,
  }: { s: string; now: number; pollMs: number; isFirst: boolean; random: number },
): number {
  const others = Object.entries(schedule)
    .filter(([other]) => other !== s)
    .map(([, at]) => at)
    .sort((one, other) => one - other)
  const interval = lookInterval(pollMs, others.length + 1)
  const wanted = isFirst ? now + FIRST_LOOK_AFTER * pollMs : now + interval * (1 + JITTER * (2 * random - 1))
  return firstGap(others, wanted)
}

export const lookInterval = (pollMs: number, roadmaps: number): number => Math.max(pollMs, 3_000 * roadmaps)

/** A look that comes so late (the bot was down) takes a new place, so that overdue ones do not come all at once. */
export const isLate = (scheduledAt: number, now: number): boolean => now - scheduledAt > 2 * LOOK_SPACING_MS

/** The first place for a look that is due now. */
export function placeFrom(schedule: LookSchedule, s: string, now: number): number {
  const others = Object.entries(schedule)
    .filter(([other, at]) => other !== s && !isLate(at, now))
    .map(([, at]) => at)
    .sort((one, other) => one - other)
  return firstGap(others, now)
}

function firstGap(taken: readonly number[], wanted: number): number {
  let at = wanted
  for (const other of taken) {
    if (other <= at - LOOK_SPACING_MS) continue
    if (other >= at + LOOK_SPACING_MS) break
    at = other + LOOK_SPACING_MS
  }
  return Math.round(at)
}
