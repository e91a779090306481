import { z } from 'zod'
import { ageOn, today } from './calendar.ts'
import type { Product } from './catalogue/products.ts'
import type { TestDefinition } from './catalogue/test.ts'
import { Refusal } from './refusal.ts'
import type { Applicant } from './state.ts'
import type { World } from './world.ts'

/** The people of one authentication, as its request lists them. */
export interface Enrolment {
  readonly mobile: string
  readonly people: Applicant[]
}

const LETTERS = /^[آابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیءأؤئ]+(?: +[آابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیءأؤئ]+)*$/
const STRICT_LETTERS = /^[آابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی]+(?: +[آابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی]+)*$/

const mobile = z.string().regex(/^09\d{9}$/, 'must be 11 digits starting with 09')

function personSchema(world: World) {
  const date = today(world.now())
  return z.object({
    name: z
      .string()
      .max(50, 'must have at most 50 characters')
      .regex(world.settings.strictNames ? STRICT_LETTERS : LETTERS, 'must consist of Persian letters'),
    birth: z.iso
      .date('must be an ISO 8601 date')
      .refine((birth) => birth <= date, 'must not lie in the future'),
    is_male: z.boolean(),
    external_id: z.int().optional(),
  })
}

/** Reads the body of a record's auth call. @throws Refusal 400 */
export function readApplicant(world: World, body: unknown, test: TestDefinition): Enrolment {
  const read = parse(personSchema(world).extend({ mobile }), body)
  const person = applicant(null, read)
  const limits = { minAge: test.minAge, maxAge: test.maxAge, gender: test.gender }
  const problems = mismatches(person, limits, today(world.now()))
  if (problems.length > 0) throw new Refusal(400, problems)
  return { mobile: read.mobile, people: [person] }
}

/** Reads the body of a roadmap's auth call: a person for each given role. @throws Refusal 400 naming it */
export function readApplicants(world: World, body: unknown, product: Product): Enrolment {
  const role = z.object({ id: z.int(), profile: personSchema(world) })
  const read = parse(z.object({ mobile, roles: z.array(role).min(1, 'must name at least one role') }), body)
  const given = read.roles.map(({ id }) => id)
  const problems: string[] = []

  for (const id of new Set(given)) {
    if (!product.roles.some((known) => known.id === id))
      problems.push(`Role ${id} is not part of this roadmap.`)
    if (given.filter((other) => other === id).length > 1) problems.push(`Role ${id} is given more than once.`)
  }
  for (const { id, title, minAge, maxAge, gender } of product.roles) {
    const item = read.roles.find((other) => other.id === id)
    if (!item) continue
    const found = mismatches(applicant(id, item.profile), { minAge, maxAge, gender }, today(world.now()))
    problems.push(...found.map((problem) => `Role ${id} (${title}): ${problem}`))
  }
  if (problems.length > 0) throw new Refusal(400, problems)
  return { mobile: read.mobile, people: read.roles.map((item) => applicant(item.id, item.profile)) }
}

/** Reads a body; one message for each wrong field. @throws Refusal 400 */
export function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body)
  if (read.success) return read.data
  throw new Refusal(
    400,
    read.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`),
  )
}

interface Limits {
  readonly minAge: number | null
  readonly maxAge: number | null
  readonly gender: 'both' | 'male' | 'female'
}

function mismatches(person: Applicant, limits: Limits, date: string): string[] {
  const age = ageOn(person.birth, date)
  const tooYoung = limits.minAge !== null && age < limits.minAge
  const tooOld = limits.maxAge !== null && age > limits.maxAge
  const wrongGender = limits.gender !== 'both' && person.isMale !== (limits.gender === 'male')
  return [
    ...(tooYoung || tooOld ? [`age must be between ${limits.minAge ?? 0} and ${limits.maxAge ?? 120}.`] : []),
    ...(wrongGender ? [`only ${limits.gender} participants are admitted.`] : []),
  ]
}

type Person = z.infer<ReturnType<typeof personSchema>>

function applicant(role: number | null, person: Person): Applicant {
  const { name, birth, is_male: isMale, external_id: externalId = null } = person
  return { role, name, birth, isMale, externalId }
}
