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
  /** Names the picture of several people, for example «کنار هم». */
  together: string
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

export type RoadmapSection = { title: string; role?: string; scales: readonly CardScale[] }

/** One test of several people: of each scale what everybody has, in the order of the people. */
export type ComparedTest = {
  title: string
  people: readonly string[]
  scales: readonly { title?: string; marks: readonly (CardScale | undefined)[] }[]
}

/** The results of a roadmap: one section per test, then what several have taken side by side. */
export type RoadmapCard = {
  language: Language
  title: string
  date: Date
  compared: readonly ComparedTest[]
  sections: readonly RoadmapSection[]
  note: string
  labels: CardLabels
  most?: number
}
