import { z } from 'zod'
import { type Fields, isFields } from '../domain/fields.ts'

/**
 * The scalars of the service, read leniently: every unambiguous form is accepted, an unreadable optional
 * field never breaks its object, and unknown fields are dropped.
 */

const idOf = (number: z.ZodNumber) => z.union([z.string().min(1), number.transform(String)])
/** An identifier; a number becomes its digits. */
export const id = idOf(z.number())
/** An identifier that is sent back: a number beyond the safe integers would change. */
export const exactId = idOf(z.number().max(Number.MAX_SAFE_INTEGER))

/** A number, or a text of this form. */
const numeric = (number: z.ZodNumber, form: RegExp) =>
  z.union([number, z.string().regex(form).transform(Number).pipe(number)])

export const whole = numeric(z.int(), /^-?\d+$/)
const decimal = numeric(z.number(), /^-?\d+(\.\d+)?$/)

/** A boolean, in the forms that servers write. */
export const flag = z.union([
  z.boolean(),
  z.literal([1, 'true', 'True', '1']).transform(() => true),
  z.literal([0, 'false', 'False', '0']).transform(() => false),
])

/** A field that may be missing, null or unreadable: it becomes `null`, and the rest of the object is kept. */
export const optional = <T extends z.ZodType>(schema: T) => schema.nullable().catch(null)

/** A list whose readable items are kept; missing or null is an empty list. */
export const list = <T extends z.ZodType>(item: T) =>
  z
    .array(optional(item))
    .catch([])
    .transform((items) => items.filter((each) => each !== null))

/** A list with `null` for each unreadable item. */
const eachOf = <T extends z.ZodType>(item: T) => fullList(optional(item))

/** A list whose items must all be readable. */
const fullList = <T extends z.ZodType>(item: T) => z.preprocess((items) => items ?? [], z.array(item))

/** An object that is no array. */
export const isObject = (value: unknown): value is Fields => isFields(value) && !Array.isArray(value)

/** The resources of the specification under their wire names (spec, "Resources and their fields"). */

/** A person at the service. */
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

/** A test without a title is called by its id. */
const titled = (title: string, testId: string | null): string => (title.trim() ? title : (testId ?? title))

const testSchema = z.object({
  id,
  title: z.string(),
  min_age: optional(whole),
  max_age: optional(whole),
  gender_permission: optional(id),
  questions_count: optional(whole),
  doing_time_minutes: optional(decimal),
})

/** Common fields of records and roadmaps. The organizer's policy defaults to `true`. */
const stateFields = {
  status: whole,
  auth_required: flag,
  tests_auth_required: flag.nullish().transform((value) => value ?? true),
  is_finished: flag,
}

export const recordSchema = z.object({
  token: id,
  ...stateFields,
  test: testSchema.transform((test) => ({ ...test, title: titled(test.title, test.id) })),
  profile: optional(profileSchema),
})
/** One standalone test for one participant; `status`: 0 waits for the organizer, 1 finished, 2 ready. */
export type TestRecord = z.infer<typeof recordSchema>

/** Whether a record or roadmap is finished, by flag or status: a service may update one of them later. */
export const isFinished = ({ is_finished, status }: Pick<TestRecord, 'is_finished' | 'status'>): boolean =>
  is_finished || status === 1

const nestedRecordSchema = z
  .object({
    token: id,
    test_id: optional(id),
    test_title: z.string(),
    ...stateFields,
    role: whole,
  })
  .transform(({ test_id, ...record }) => ({ ...record, test_title: titled(record.test_title, test_id) }))

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
  // If the instance has no roles, use those of the product.
  .transform((roadmap) => (roadmap.roles.length ? roadmap : { ...roadmap, roles: roadmap.roadmap.roles }))
/** `status`: 0 waits for the organizer, 1 finished with analysis, 2 ready, 3 in progress, 4 analysis under way. */
export type Roadmap = z.infer<typeof roadmapSchema>

/** A list item is shown as far as it is readable: only the token is required. */
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

export type RecordItem = z.infer<typeof recordItemSchema>
export type RoadmapItem = z.infer<typeof roadmapItemSchema>

/** The title of a roadmap or of a list item. */
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

/** Any object, unchanged: its shape differs between tests, and only `domain/result.ts` reads it. */
export const recordResultSchema = z.looseObject({})

/** An HTML page: a report, or questions. */
export const htmlReportSchema = z.object({ html: z.string().min(1) })
