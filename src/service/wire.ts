import { z } from 'zod'
import { type Fields, isFields } from '../domain/fields.ts'

/**
 * The scalars of the service, read generously: what is unmistakable is understood, what is optional never breaks
 * the object around it, and fields nobody asked for are dropped.
 */

const idOf = (number: z.ZodNumber) => z.union([z.string().min(1), number.transform(String)])
/** An identifier; a number is taken as its digits. */
export const id = idOf(z.number())
/** One that is sent back: a number that JavaScript does not hold would be another one. */
export const exactId = idOf(z.number().max(Number.MAX_SAFE_INTEGER))

/** A number, also as a text of this form. */
const numeric = (number: z.ZodNumber, form: RegExp) =>
  z.union([number, z.string().regex(form).transform(Number).pipe(number)])

export const whole = numeric(z.int(), /^-?\d+$/)
const decimal = numeric(z.number(), /^-?\d+(\.\d+)?$/)

/** Yes or no, in the forms that servers write it. */
export const flag = z.union([
  z.boolean(),
  z.literal([1, 'true', 'True', '1']).transform(() => true),
  z.literal([0, 'false', 'False', '0']).transform(() => false),
])

/** A field that may be missing, null or unreadable: `null` then, and the rest of the object stands. */
export const optional = <T extends z.ZodType>(schema: T) => schema.nullable().catch(null)

/** A list of which every understood item is kept; missing or null is an empty list. */
export const list = <T extends z.ZodType>(item: T) =>
  z
    .array(optional(item))
    .catch([])
    .transform((items) => items.filter((each) => each !== null))

/** A list whose items are read one by one; `null` stands for one that cannot be understood. */
const eachOf = <T extends z.ZodType>(item: T) => fullList(optional(item))

/** A list of which every item must be understood. */
const fullList = <T extends z.ZodType>(item: T) => z.preprocess((items) => items ?? [], z.array(item))

/** An object that is no list, whatever is in it. */
export const isObject = (value: unknown): value is Fields => isFields(value) && !Array.isArray(value)

/** The resources of the specification under their wire names (spec, "Resources and their fields"). */

/** A person as the service knows them. */
export const profileSchema = z.object({
  token: optional(id),
  external_id: optional(whole),
  case_number: optional(id),
  mobile: optional(z.string()),
  name: optional(z.string()),
  age: optional(whole),
  birth: optional(z.string()),
  is_male: optional(flag),
})

const testSchema = z.object({
  id,
  title: z.string(),
  min_age: optional(whole),
  max_age: optional(whole),
  gender_permission: optional(id),
  questions_count: optional(whole),
  doing_time_minutes: optional(decimal),
})

/** What a record and a roadmap have in common. The organizer's policy is `true` unless it says otherwise. */
const stateFields = {
  status: whole,
  auth_required: flag,
  tests_auth_required: flag.nullish().transform((value) => value ?? true),
  is_finished: flag,
}

export const recordSchema = z.object({
  token: id,
  ...stateFields,
  test: testSchema,
  profile: optional(profileSchema),
})
/** One standalone test for one participant; `status`: 0 waits for the organizer, 1 finished, 2 ready. */
export type TestRecord = z.infer<typeof recordSchema>

/** Whether a record or roadmap is finished: its status says so as well, and a service may be late with the other. */
export const isFinished = ({ is_finished, status }: Pick<TestRecord, 'is_finished' | 'status'>): boolean =>
  is_finished || status === 1

const nestedRecordSchema = z.object({
  token: id,
  test_title: z.string(),
  ...stateFields,
  role: whole,
})

/** `gender`: 0 both, 1 male only, 2 female only. */
const roleSchema = z.object({
  id: whole,
  title: z.string(),
  min_age: optional(whole),
  max_age: optional(whole),
  gender: whole.nullish().transform((value) => value ?? 0),
})

export const roadmapSchema = z
  .object({
    token: id,
    roadmap: z.object({
      title: optional(z.string()),
      roles: list(roleSchema),
    }),
    display_title: optional(z.string()),
    ...stateFields,
    roles: fullList(roleSchema),
    test_records: fullList(nestedRecordSchema),
  })
  // The product's own roles stand in where the instance repeats none.
  .transform((roadmap) => (roadmap.roles.length ? roadmap : { ...roadmap, roles: roadmap.roadmap.roles }))
/** `status`: 0 waits for the organizer, 1 finished with analysis, 2 ready, 3 in progress, 4 analysis under way. */
export type Roadmap = z.infer<typeof roadmapSchema>

/** An item of a list is shown as far as it can be read: only without its token it is nothing. */
const itemStateFields = {
  status: optional(whole),
  auth_required: optional(flag),
  tests_auth_required: optional(flag),
  is_finished: optional(flag),
}

const roadmapItemSchema = z.object({
  token: id,
  roadmap_title: optional(z.string()),
  display_title: optional(z.string()),
  ...itemStateFields,
})

const recordItemSchema = z.object({
  token: id,
  ...itemStateFields,
  test: optional(z.object({ ...testSchema.shape, id: optional(id), title: optional(z.string()) })),
  profile: optional(profileSchema),
})

const pageFields = {
  count: whole,
  next: optional(z.string()),
}

/** A record as a list shows it. */
export type RecordItem = z.infer<typeof recordItemSchema>
/** A roadmap as a list shows it. */
export type RoadmapItem = z.infer<typeof roadmapItemSchema>

/** What a roadmap is called, also as a list shows it. */
export const titleOf = (roadmap: Roadmap | RoadmapItem): string =>
  roadmap.display_title || ('roadmap' in roadmap ? roadmap.roadmap.title : roadmap.roadmap_title) || ''

/** One page of the organizer's records. */
export const recordPageSchema = z.object({
  ...pageFields,
  results: eachOf(recordItemSchema),
})

/** One page of the organizer's roadmaps. */
export const roadmapPageSchema = z.object({
  ...pageFields,
  results: eachOf(roadmapItemSchema),
  roadmaps_filter: list(z.object({ id, title: optional(z.string()) })),
})

/** Any object, kept as it came: its shape differs from test to test, and `domain/result.ts` is its one reader. */
export const recordResultSchema = z.looseObject({})

/** A page of its own: a report, or questions. */
export const htmlReportSchema = z.object({ html: z.string().min(1) })
