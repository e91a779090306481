/** When each roadmap that is being analysed is looked at next, by `S`. */
export type LookSchedule = Readonly<Record<string, number>>

/** A little over 3 s between any two looks: never more than 20 of them in a minute. */
export const LOOK_SPACING_MS = 3_100
/** Above this many that wait at once the list of all is looked at, and each alone only now and then. */
export const MOST_ALONE = 25
/** So few are each looked at alone again. */
export const FEW = 15
/** Then looks at each keep so much more distance, which leaves the places between them to the list. */
const LISTED_SPACING_MS = 4 * LOOK_SPACING_MS
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
    isListed = false,
    random,
  }: { s: string; now: number; pollMs: number; isFirst: boolean; isListed?: boolean; random: number },
): number {
  const others = placesOf(schedule, ([other]) => other !== s)
  const interval = lookInterval(pollMs, others.length + 1, isListed)
  const wanted = isFirst ? now + FIRST_LOOK_AFTER * pollMs : now + interval * (1 + JITTER * (2 * random - 1))
  return firstGap(others, wanted, isListed ? LISTED_SPACING_MS : LOOK_SPACING_MS)
}

export const lookInterval = (pollMs: number, roadmaps: number, isListed = false): number =>
  Math.max(pollMs, (isListed ? LISTED_SPACING_MS : 3_000) * roadmaps)

/** A look that comes so late (the bot was down) takes a new place, so that overdue ones do not come all at once. */
export const isLate = (scheduledAt: number, now: number): boolean => now - scheduledAt > 2 * LOOK_SPACING_MS

/** The first place from this time on. */
export function placeFrom(schedule: LookSchedule, s: string, now: number): number {
  const others = placesOf(schedule, ([other, at]) => other !== s && !isLate(at, now))
  return firstGap(others, now, LOOK_SPACING_MS)
}

const placesOf = (schedule: LookSchedule, isMeant: (place: [s: string, at: number]) => boolean): number[] =>
  Object.entries(schedule)
    .filter(isMeant)
    .map(([, at]) => at)
    .sort((one, other) => one - other)

function firstGap(taken: readonly number[], wanted: number, spacing: number): number {
  let at = wanted
  for (const other of taken) {
    if (other <= at - spacing) continue
    if (other >= at + spacing) break
    at = other + spacing
  }
  return Math.round(at)
}
