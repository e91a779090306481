import { ageOn } from './persian/age.ts'

/** What a test or a role admits; `null` is no limit. */
export type Limits = { minAge: number | null; maxAge: number | null; gender: Gender | 'both' }
export type Gender = 'male' | 'female'

export type Guess = 'century' | 'order' | 'imperial'

/** One participant's details while they are being typed. In a roadmap there is one for each role. */
export type Person = {
  role?: { id: number; title: string }
  limits: Limits
  name?: string
  /** ISO date. */
  birth?: string
  /** A birth date that was guessed and waits for a yes, or readings to choose from. */
  birthGuess?: { iso: string; assumed: Guess[] } | { candidates: string[] }
  /** Under 18: a parent or guardian is present and agrees. */
  guardian?: true
  gender?: Gender
}

export type Field = 'name' | 'birth' | 'gender' | 'mobile'

export type Draft = {
  people: Person[]
  /** `09#########`, one for all. */
  mobile?: string
  /** A number of an unknown range that waits for a yes. */
  mobileGuess?: string
  /** A field that is being corrected; what stood there stays until the new one is in. */
  correcting?: { field: Field; person: number }
}

export type Step =
  | { ask: 'name' | 'birth' | 'birth-confirm' | 'birth-choose' | 'guardian' | 'gender'; person: number }
  | { ask: 'mobile' | 'mobile-confirm' | 'summary'; person: 0 }

export const ADULT_AGE = 18

/** Finds what the dialog asks next: it is always the first thing missing, whatever interrupted it. */
export function nextStep(draft: Draft, today: string): Step {
  const { correcting } = draft
  for (const [index, person] of draft.people.entries()) {
    if (person.birthGuess) {
      return { ask: 'candidates' in person.birthGuess ? 'birth-choose' : 'birth-confirm', person: index }
    }
    if (correcting?.person === index && correcting.field !== 'mobile')
      return { ask: correcting.field, person: index }
    if (person.name === undefined) return { ask: 'name', person: index }
    if (person.birth === undefined) return { ask: 'birth', person: index }
    if (needsGuardian(person, today)) return { ask: 'guardian', person: index }
    if (person.gender === undefined) return { ask: 'gender', person: index }
  }
  if (draft.mobileGuess !== undefined) return { ask: 'mobile-confirm', person: 0 }
  if (draft.mobile === undefined || correcting?.field === 'mobile') return { ask: 'mobile', person: 0 }
  return { ask: 'summary', person: 0 }
}

/** Begins a person's details; a gender that the limits leave no choice in is not asked. */
export function newPerson(limits: Limits, role?: { id: number; title: string }): Person {
  return {
    limits,
    ...(role ? { role } : {}),
    ...(limits.gender === 'both' ? {} : { gender: limits.gender }),
  }
}

function needsGuardian(person: Person, today: string): boolean {
  return person.birth !== undefined && !person.guardian && ageOn(person.birth, today) < ADULT_AGE
}

/** Says whether an age is below or above what is admitted; `undefined` when it is admitted. */
export function ageProblem(limits: Limits, age: number): 'too_young' | 'too_old' | undefined {
  if (limits.minAge !== null && age < limits.minAge) return 'too_young'
  if (limits.maxAge !== null && age > limits.maxAge) return 'too_old'
  return undefined
}

export type ProfileProblem = {
  person: number
  field: Field
  code: 'missing' | 'age' | 'gender' | 'name' | 'mobile'
}

const NAME = /^[ءآأؤئابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی]+(?: [ءآأؤئابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی]+)*$/

/** Checks all that the service would refuse, before a call that sends an SMS. */
export function profileProblems(draft: Draft, today: string): ProfileProblem[] {
  const problems = draft.people.flatMap((person, index): ProfileProblem[] => {
    const at = (field: Field, code: ProfileProblem['code']): ProfileProblem => ({
      person: index,
      field,
      code,
    })
    const { name, birth, gender, limits } = person
    return [
      ...(name === undefined ? [at('name', 'missing')] : []),
      ...(name !== undefined && ([...name].length > 50 || !NAME.test(name)) ? [at('name', 'name')] : []),
      ...(birth === undefined ? [at('birth', 'missing')] : []),
      ...(birth !== undefined && ageProblem(limits, ageOn(birth, today)) ? [at('birth', 'age')] : []),
      ...(gender === undefined ? [at('gender', 'missing')] : []),
      ...(gender !== undefined && limits.gender !== 'both' && limits.gender !== gender
        ? [at('gender', 'gender')]
        : []),
    ]
  })
  if (!/^09\d{9}$/.test(draft.mobile ?? '')) problems.push({ person: 0, field: 'mobile', code: 'mobile' })
  return problems
}

/** Reads `gender_permission`, whose values other than `both` the specification does not show. */
export function readGenderPermission(permission: string | null | undefined): Gender | 'both' {
  const text = String(permission ?? '')
    .trim()
    .toLowerCase()
  if (['male', 'm', '1'].includes(text)) return 'male'
  if (['female', 'f', '2'].includes(text)) return 'female'
  return 'both'
}

/** Reads a role's gender: 0 both, 1 male only, 2 female only (spec, Role). */
export const readRoleGender = (gender: number): Gender | 'both' => readGenderPermission(String(gender))

/** Reads age limits; a limit that excludes nobody (or, as 0 years at most, everybody) is none. */
export function readAgeLimits(
  minAge: number | null | undefined,
  maxAge: number | null | undefined,
): Pick<Limits, 'minAge' | 'maxAge'> {
  return {
    minAge: minAge && minAge > 0 ? minAge : null,
    maxAge: maxAge && maxAge > 0 && maxAge < 120 ? maxAge : null,
  }
}
