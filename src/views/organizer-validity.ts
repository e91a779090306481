import { usual, type Validity } from '../domain/validity.ts'
import type { Translate } from '../texts/texts.ts'

const COUNTED = ['fast', 'run', 'changes', 'pauses', 'resumes'] as const

/** The validity card: how the test was answered, each line with what is usual. */
export function validityText(t: Translate, validity: Validity, expectedMinutes: number | undefined): string {
  const most = usual(validity)
  const { activeMinutes, questions } = validity
  const minutes =
    expectedMinutes === undefined
      ? t.plain('validity-minutes-alone', { count: activeMinutes })
      : t.plain('validity-minutes', { count: activeMinutes, usual: expectedMinutes })
  return [
    ...COUNTED.map((what) =>
      t.plain(`validity-${what}`, { count: validity[what], questions, usual: most[what] }),
    ),
    minutes,
  ].join('\n')
}
