import { z } from 'zod'
import { ageOn } from './persian/age.ts'
import { MOBILE } from './persian/mobile.ts'
import { isFoldedName } from './persian/name.ts'

export type Gender = 'male' | 'female'

/** The limits of a test or a role; `null` is no limit. */
export const limits = z.object({
  minAge: z.number().nullable(),
  maxAge: z.number().nullable(),
  gender: z.enum(['male', 'female', 'both']),
})
export type Limits = z.infer<typeof limits>

const person = z.object({
  role: z.object({ id: z.number(), title: z.string() }).optional(),
  limits,
  name: z.string().optional(),
  /** ISO date. */
  birth: z.string().optional(),
  /** Under 18: a parent or guardian is present and agrees. */
  guardian: z.literal(true).optional(),
  gender: z.enum(['male', 'female']).optional(),
  /** The organizer's own id of this person (of a roadmap: of the role). */
  externalId: z.number().optional(),
})
/** One participant's details while they are being typed. In a roadmap there is one for each role. */
export type Person = z.infer<typeof person>

/** Details as they were sent to the service, and the ones sent `before` a correction. */
export const sentDetails = z.looseObject({
  get before() {
    return sentDetails.optional()
  },
})
export type SentDetails = z.infer<typeof sentDetails>

/** The known details of a profile that does not exist yet. */
export const draft = z.object({
  people: z.array(person),
  /** `09#########`, one for all people. */
  mobile: z.string().optional(),
  /** Details that were sent from here. They stay, also after a correction, until the outcome is known. */
  sent: sentDetails.optional(),
})
export type Draft = z.infer<typeof draft>

export type Field = 'name' | 'birth' | 'gender' | 'mobile'

export const ADULT_AGE = 18

/** Begins the details of all people. A gender that the limits leave no choice in is not asked. */
export function newDraft(
  people: readonly { id?: number; title?: string; limits: Limits; externalId?: number | undefined }[],
): Draft {
  return {
    people: people.map(({ id, title = '', limits, externalId }) => ({
      ...(id === undefined ? {} : { role: { id, title } }),
      limits,
      ...(externalId === undefined ? {} : { externalId }),
      ...(limits.gender === 'both' ? {} : { gender: limits.gender }),
    })),
  }
}

/** Removes a role whose details are asked elsewhere; `false` where no person would be left here. */
export function askElsewhere(draft: Draft, role: number): boolean {
  const people = draft.people.filter((person) => person.role?.id !== role)
  if (people.length === 0 || people.length === draft.people.length) return false
  draft.people = people
  return true
}

/** Adds a role again whose details are asked here, in the order of the roles. */
export function askHere(
  draft: Draft,
  role: Parameters<typeof newDraft>[0][number],
  order: readonly number[],
): void {
  askElsewhere(draft, role.id ?? 0)
  const at = (person: Person) => order.indexOf(person.role?.id ?? 0)
  draft.people = [...draft.people, ...newDraft([role]).people].toSorted((one, other) => at(one) - at(other))
}

/** Under 18: a parent or guardian has to agree first. */
export function needsGuardian(person: Person, today: string): boolean {
  return person.birth !== undefined && !person.guardian && ageOn(person.birth, today) < ADULT_AGE
}

/** Whether a profile in the service is of a minor: by its date of birth, else by its age. */
export function isMinor(
  { birth, age }: { birth: string | null; age: number | null },
  today: string,
): boolean {
  const known = birth && BIRTH_DAY.test(birth) ? ageOn(birth.slice(0, 10), today) : age
  return known !== null && known < ADULT_AGE
}

const BIRTH_DAY = /^\d{4}-\d{2}-\d{2}(?!\d)/

/** Whether an age is below or above the limits; `undefined` when it is within them. */
export function ageProblem(limits: Limits, age: number): 'too_young' | 'too_old' | undefined {
  if (limits.minAge !== null && age < limits.minAge) return 'too_young'
  if (limits.maxAge !== null && age > limits.maxAge) return 'too_old'
  return undefined
}

/** Whether the limits admit a person of this birth date. */
export const isAgeAdmitted = (limits: Limits, birth: string, today: string): boolean =>
  ageProblem(limits, ageOn(birth, today)) === undefined

export type ProfileProblem = {
  person: number
  field: Field
  code: 'missing' | 'age' | 'gender' | 'name' | 'mobile'
}

/** Whether no required detail is missing. */
export const isFilledIn = ({ people, mobile }: Draft): boolean =>
  mobile !== undefined && people.every(({ name, birth, gender }) => name && birth && gender)

/** Checks everything that the service would refuse, before a call that sends an SMS. */
export function profileProblems(draft: Draft, today: string): ProfileProblem[] {
  const problems = draft.people.flatMap(({ name, birth, gender, limits }, index) => {
    const checks: [Field, ProfileProblem['code'], isWrong: boolean][] = [
      ['name', 'missing', name === undefined],
      ['name', 'name', name !== undefined && !isFoldedName(name)],
      ['birth', 'missing', birth === undefined],
      ['birth', 'age', birth !== undefined && !isAgeAdmitted(limits, birth, today)],
      ['gender', 'missing', gender === undefined],
      ['gender', 'gender', gender !== undefined && limits.gender !== 'both' && limits.gender !== gender],
    ]
    return checks.flatMap(([field, code, isWrong]) => (isWrong ? [{ person: index, field, code }] : []))
  })
  if (!MOBILE.test(draft.mobile ?? '')) problems.push({ person: 0, field: 'mobile', code: 'mobile' })
  return problems
}

/**
 * Reads the limits of a test or role. An age that excludes nobody (or, as a maximum of 0, everybody) is no
 * limit. A role's gender is 0 for both, 1 for male, 2 for female (spec, Role). The specification shows only
 * the value `both` of `gender_permission`.
 */
export function readLimits(
  minAge: number | null | undefined,
  maxAge: number | null | undefined,
  permission: string | number | null | undefined,
): Limits {
  const text = String(permission ?? '')
    .trim()
    .toLowerCase()
  const isFemale = ['female', 'f', '2'].includes(text)
  return {
    minAge: minAge && minAge > 0 ? minAge : null,
    maxAge: maxAge && maxAge > 0 && maxAge < 120 ? maxAge : null,
    gender: ['male', 'm', '1'].includes(text) ? 'male' : isFemale ? 'female' : 'both',
  }
}
