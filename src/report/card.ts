import type { Language } from '../texts/languages.ts'

/** One scale as the service gives it; whatever is missing is left out of the picture. */
export type CardScale = {
  title?: string | null
  score?: number | null
  percentile?: number | null
}

/** The card's own words, in the card's language. */
export type CardLabels = {
  /** Head of the bars; says what the numbers mean: «درصدک: از هر ۱۰۰ نفر، چند نفر نمرهٔ پایین‌تری دارند». */
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
}

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
}

export type RoadmapSection = { title: string; role?: string; scales: readonly CardScale[] }

/** The results of a roadmap, one section per test. */
export type RoadmapCard = {
  language: Language
  title: string
  date: Date
  sections: readonly RoadmapSection[]
  note: string
  labels: CardLabels
}
