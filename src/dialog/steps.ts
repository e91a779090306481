import { type Draft, needsGuardian, type Person } from '../domain/profile.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import type { AsideTalk } from './aside-talk.ts'
import { question } from './ask.ts'
import { birth } from './birth.ts'
import { code } from './code.ts'
import type { Aside, Entry } from './due.ts'
import { externalId } from './external-id.ts'
import { gender } from './gender.ts'
import { group } from './group.ts'
import { guardian } from './guardian.ts'
import { lines } from './lines.ts'
import { mobile } from './mobile.ts'
import { name } from './name.ts'
import { summary } from './summary.ts'
import { takeoverMobile } from './takeover-mobile.ts'
import type { Talk } from './talk.ts'

type Step<About> = { talk: (talk: Talk<never>) => Promise<void>; isMissing: (about: About) => boolean }

/** The questions for each person, in this order; in a roadmap one person after the other. */
const ofEverybody: Record<string, Step<{ person: Person; today: string }>> = {
  name: { talk: name, isMissing: ({ person }) => person.name === undefined },
  birth: { talk: birth, isMissing: ({ person }) => person.birth === undefined },
  guardian: { talk: guardian, isMissing: ({ person, today }) => needsGuardian(person, today) },
  gender: { talk: gender, isMissing: ({ person }) => person.gender === undefined },
}

/** The questions asked once, after those. The summary confirms everything. */
const onceForAll: Record<string, Step<Draft>> = {
  mobile: { talk: mobile, isMissing: ({ mobile }) => mobile === undefined },
  summary: { talk: summary, isMissing: () => true },
}

/** Every step of the dialog by its name, each in a file of its own. */
export const steps: Readonly<Record<string, Step<never>>> = {
  ...ofEverybody,
  ...onceForAll,
  // Only the service knows whether a code is needed; the stage of the record shows it.
  code: { talk: code, isMissing: () => false },
}

export const asides: { [K in Aside['ask']]: (talk: AsideTalk<Extract<Aside, { ask: K }>>) => Promise<void> } =
  {
    lines,
    'external-id': externalId,
    group,
    'known-mobile': takeoverMobile,
    question,
  }

/** The step that a record's dialog has come to: the first missing detail, after any interruption. */
export function stepOf(file: RecordFile, today: string): Entry | undefined {
  if (isIn(file, 'code')) return { ask: 'code', person: 0 }
  return isIn(file, 'profile') ? firstMissing(file.state.draft, today, file.parent !== undefined) : undefined
}

function firstMissing(draft: Draft, today: string, isOfRole: boolean): Entry | undefined {
  for (const [index, person] of draft.people.entries()) {
    const ask = missing(ofEverybody, { person, today })
    if (ask !== undefined) return { ask, person: index }
  }
  const ask = isOfRole ? 'summary' : missing(onceForAll, draft)
  return ask === undefined ? undefined : { ask, person: 0 }
}

const missing = <About>(among: Record<string, Step<About>>, about: About): string | undefined =>
  Object.keys(among).find((ask) => among[ask]?.isMissing(about))

/**
 * Whether a waiting conversation still fits the record: its step is the one that the draft has come to, or it
 * corrects a field.
 */
export function isFitting(waiting: Entry | undefined, file: RecordFile, today: string): boolean {
  const expected = stepOf(file, today)
  if (!waiting || !expected || !Object.hasOwn(steps, waiting.ask)) return false
  if (waiting.isCorrection) return isIn(file, 'profile')
  return waiting.ask === expected.ask && waiting.person === expected.person
}
