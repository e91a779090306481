import { z } from 'zod'

/** The state of the sandbox as plain JSON: the demo stores it on disk, tests keep it in memory. */

const record = z.object({
  token: z.string(),
  owner: z.string(),
  testId: z.string(),
  roadmap: z.string().nullable(),
  role: z.number().nullable(),
  waiting: z.boolean(),
  billing: z.enum(['ok', 'refused']),
  authRequired: z.boolean(),
  testsAuthRequired: z.boolean(),
  profile: z.string().nullable(),
  answers: z.array(z.string()).nullable(),
  minutes: z.number().nullable(),
  submittedAt: z.number().nullable(),
  createdAt: z.number(),
})

const generation = z.object({
  startedAt: z.number(),
  endsAt: z.number(),
  /** Reasons of a generation that will fail; null when it will succeed. */
  errors: z.array(z.string()).nullable(),
})

const roadmap = z.object({
  token: z.string(),
  owner: z.string(),
  productId: z.string(),
  displayTitle: z.string(),
  groupId: z.string(),
  waiting: z.boolean(),
  billing: z.enum(['ok', 'refused']),
  authRequired: z.boolean(),
  testsAuthRequired: z.boolean(),
  records: z.array(z.string()),
  generation: generation.nullable(),
  createdAt: z.number(),
})

const profile = z.object({
  token: z.string(),
  owner: z.string(),
  externalId: z.number().nullable(),
  caseNumber: z.string(),
  mobile: z.string(),
  name: z.string(),
  birth: z.string(),
  isMale: z.boolean(),
})

const applicant = z.object({
  /** The role of a roadmap; null on a standalone record. */
  role: z.number().nullable(),
  name: z.string(),
  birth: z.string(),
  isMale: z.boolean(),
  externalId: z.number().nullable(),
})

const draft = z.object({
  token: z.string(),
  /** Token of the record or roadmap that the draft authenticates. */
  target: z.string(),
  code: z.string(),
  mobile: z.string(),
  people: z.array(applicant),
  expiresAt: z.number(),
})

const sms = z.object({ mobile: z.string(), code: z.string(), at: z.number() })

const submission = z.object({ record: z.unknown(), minutes: z.unknown(), accepted: z.boolean() })

const seed = z.object({
  title: z.string(),
  note: z.string(),
  kind: z.enum(['record', 'roadmap']),
  payload: z.string(),
  token: z.string(),
})

/** The schema of a sandbox's snapshot. */
export const stateSchema = z.object({
  version: z.literal(1),
  records: z.record(z.string(), record),
  roadmaps: z.record(z.string(), roadmap),
  profiles: z.record(z.string(), profile),
  drafts: z.record(z.string(), draft),
  sms: z.array(sms),
  submissions: z.record(z.string(), z.array(submission)),
  seeds: z.array(seed),
  cases: z.number(),
})

export type State = z.infer<typeof stateSchema>
export type RecordState = z.infer<typeof record>
export type RoadmapState = z.infer<typeof roadmap>
export type ProfileState = z.infer<typeof profile>
export type Applicant = z.infer<typeof applicant>
export type Draft = z.infer<typeof draft>
export type Sms = z.infer<typeof sms>
export type Seed = z.infer<typeof seed>

/** The state of a new sandbox. */
export function emptyState(): State {
  return {
    version: 1,
    records: {},
    roadmaps: {},
    profiles: {},
    drafts: {},
    sms: [],
    submissions: {},
    seeds: [],
    cases: 0,
  }
}

/** Reads a snapshot; throws when this sandbox did not write it. */
export function readSnapshot(snapshot: unknown): State {
  const read = stateSchema.safeParse(snapshot)
  if (!read.success) throw new Error('The sandbox cannot read this snapshot; start it with a fresh state.')
  return structuredClone(read.data)
}
