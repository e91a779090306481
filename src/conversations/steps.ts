import type { Entry } from '../chat/due.ts'
import { nextStep } from '../domain/profile.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { birth } from './birth.ts'
import { code } from './code.ts'
import { gender } from './gender.ts'
import { guardian } from './guardian.ts'
import { mobile } from './mobile.ts'
import { name } from './name.ts'
import { summary } from './summary.ts'
import type { Talk } from './talk.ts'

/** The steps of the dialog, each in its own file, in their order. `nextStep` says which is the first thing missing. */
export const steps = { name, birth, guardian, gender, mobile, summary, code } satisfies Record<
  Entry['ask'],
  (talk: Talk<never>) => Promise<void>
>

/** The step that a record's dialog has come to: the first thing missing, whatever interrupted it. */
export function stepOf(file: RecordFile, today: string): Entry | undefined {
  if (isIn(file, 'code')) return { ask: 'code', person: 0 }
  return isIn(file, 'profile') ? nextStep(file.state.draft, today) : undefined
}

/**
 * Whether a conversation that waits is still what the record needs: its step is the one that the draft has come to,
 * or corrects a field of it.
 */
export function isFitting(waiting: Entry | undefined, file: RecordFile, today: string): boolean {
  const expected = stepOf(file, today)
  if (!waiting || !expected) return false
  if (waiting.isCorrection) return isIn(file, 'profile')
  return waiting.ask === expected.ask && waiting.person === expected.person
}
