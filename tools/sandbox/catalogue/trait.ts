import type { ScaleSpec } from './test.ts'

/** A trait with its twelve statements; a leading minus reverses the score of a statement. */
export interface Trait extends Omit<ScaleSpec, 'tone'> {
  readonly statements: readonly string[]
}
