/** Where a score lies beside what is usual. */
export type Place = 'below' | 'usual' | 'above'
/** Which way of a scale is the better one to be far along; `neutral`: neither. */
export type Polarity = 'favourable' | 'unfavourable' | 'neutral'
export type Range = { low: number; high: number }

/** One scale of a test, with what is known of it; nothing of it is concluded, all is said by the result. */
export type Scale = {
  title?: string
  score?: number
  /** How many of a hundred people score lower. */
  percentile?: number
  interpretation?: string
  /** The lowest and the highest score that can be. */
  min?: number
  max?: number
  /** The scores that are usual. */
  usual?: Range
  /** What much of it means. */
  polarity?: Polarity
  /** What the result calls the score: its own words, or a word that everybody uses. */
  level?: { place?: Place; words?: string }
}

/** Where a score lies beside what is usual, as far as the result says so. */
export function placeOf({ score, usual, level }: Scale): Place | undefined {
  if (level?.place) return level.place
  if (score === undefined || !usual) return undefined
  if (score < usual.low) return 'below'
  return score > usual.high ? 'above' : 'usual'
}

/** Whether the result says that this lies outside of what is usual, on the side that is not favourable. */
export function asksForCare(scale: Scale): boolean {
  const place = placeOf(scale)
  return (
    (scale.polarity === 'unfavourable' && place === 'above') ||
    (scale.polarity === 'favourable' && place === 'below')
  )
}
