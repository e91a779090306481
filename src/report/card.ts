import type { Language } from '../texts/languages.ts'

/** One scale as the service gives it; whatever is missing is left out of the picture. */
export type CardScale = {
  title?: string | null
  score?: number | null
  percentile?: number | null
}

/** The card's own words, in the card's language. */
export type CardLabels = {
  /** Head of the hills; says what the numbers mean: «هر تپه ۱۰۰ نفر است …». */
  percentile: string
  /** Stands where a scale has no percentile, for example «درصدک ندارد». */
  noPercentile: string
  /** Head of the scores, for example «نمره». */
  score: string
  /** Without the colon, for example «شمارهٔ پرونده». */
  caseNumber: string
  /** Title of a scale that came without one (counted from 1), for example «مقیاس ۳». */
  untitled: (position: number) => string
  /** Page mark where there is more than one picture, for example «صفحهٔ ۲ از ۳». */
  page: (page: number, pages: number) => string
  /** What the number below a hill is, for example «عددِ زیر تپه نمره است». */
  scoreBelow: string
  /** Where more is said than one picture holds, for example «باقی عددها در متن است». */
  rest: string
}

/** So many pictures Telegram takes as one album. */
export const LARGEST_ALBUM = 10

/** The result of one test. `date` is the moment the result was made; it is shown as a day in Tehran. */
export type RecordCard = {
  language: Language
  title: string
  name?: string
  caseNumber?: string
  date: Date
  scales: readonly CardScale[]
  /** The closing line: not a diagnosis, and whom to ask. */
  note: string
  labels: CardLabels
  /** So many pictures at most, else an album; what is beyond them is not drawn. */
  most?: number
}

/** The results of a roadmap: of each scale what everybody has, in the order of the people. */
export type FamilyCard = Omit<RecordCard, 'name' | 'caseNumber' | 'scales' | 'most'> & {
  people: readonly string[]
  tests: readonly {
    title: string
    scales: readonly { title?: string; marks: readonly (CardScale | undefined)[] }[]
  }[]
}
