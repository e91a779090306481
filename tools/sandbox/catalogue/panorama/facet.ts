import type { Scale } from '../test.ts'

/** One facet of the long test: nine statements, each asked in three situations. */
export interface Facet {
  readonly title: string
  readonly tone: Scale['tone']
  /** Openings; every statement can follow each of them. */
  readonly situations: readonly [string, string, string]
  /** Nine; a leading minus reverses the score of a statement. */
  readonly statements: readonly string[]
  readonly low: string
  readonly high: string
}

/** A section of the long test: three facets. */
export interface Theme {
  readonly title: string
  readonly facets: Readonly<Record<string, Facet>>
}
