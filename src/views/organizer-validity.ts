import { usual, type Validity } from '../domain/validity.ts'
import type { Translate } from '../texts/texts.ts'

/** The validity card: how the test was answered, each line with what is usual. */
export function validityText(t: Translate, validity: Validity, expectedMinutes: number | undefined): string {
  const most = usual(validity)
  const { fast, run, changes, pauses, resumes, activeMinutes, questions } = validity
  const minutes =
    expectedMinutes === undefined
      ? t.plain('validity-minutes-alone', { count: activeMinutes })
      : t.plain('validity-minutes', { count: activeMinutes, usual: expectedMinutes })
  return [
    t.plain('validity-fast', { count: fast, questions, usual: most.fast }),
    t.plain('validity-run', { count: run, usual: most.run }),
    t.plain('validity-changes', { count: changes, usual: most.changes }),
    t.plain('validity-pauses', { count: pauses, usual: most.pauses }),
    t.plain('validity-resumes', { count: resumes, usual: most.resumes }),
    minutes,
  ].join('\n')
}
