import type { Translate } from '../texts/texts.ts'

/** One scale as the service gives it; whatever is missing is left out of the picture. */
export type CardScale = {
  title?: string | null
  score?: number | null
  percentile?: number | null
}

/** So many pictures Telegram takes as one album. */
export const LARGEST_ALBUM = 10

/** The result of one test. `date` is the moment the result was made; it is shown as a day in Tehran. */
export type RecordCard = {
  /** The card's own words, and in which language. */
  t: Translate
  title: string
  caseNumber?: string
  date: Date
  scales: readonly CardScale[]
  /** The closing line: not a diagnosis, and whom to ask. */
  note: string
  /** So many pictures at most, else an album; what is beyond them is not drawn. */
  most?: number
}

/** The results of a roadmap: of each scale what everybody has, in the order of the people. */
export type FamilyCard = Omit<RecordCard, 'caseNumber' | 'scales' | 'most'> & {
  people: readonly string[]
  tests: readonly {
    title: string
    scales: readonly { title?: string; marks: readonly (CardScale | undefined)[] }[]
  }[]
}
