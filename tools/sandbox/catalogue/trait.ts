import type { ScaleSpec } from './test.ts'

/** A trait with its twelve statements; a leading minus scores a statement in reverse. */
export interface Trait extends Omit<ScaleSpec, 'tone'> {
  readonly statements: readonly string[]
}
