import { z } from 'zod'
import { parse } from './applicants.ts'
import { Refusal } from './refusal.ts'
import type { ProfileState, RecordState, RoadmapState } from './state.ts'
import { isRecordFinished, roadmapStatus, wireRecordItem, wireRoadmapItem } from './wire.ts'
import { productById, profileOf, recordsOf, testById, type World } from './world.ts'

const PAGE_SIZE = 30
const truth = z.enum(['true', 'false']).transform((text) => text === 'true')
const whole = z
  .string()
  .regex(/^-?\d{1,15}$/, 'must be an integer')
  .transform(Number)
/** Shaped like a UUID: the service need not follow the versions of RFC 4122. */
const profileToken = z.guid()

const common = {
  q: z.string().default(''),
  page: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a page number from 1')
    .default('1')
    .transform(Number),
  filter__is_finished: truth.optional(),
}

const recordQuery = z.object({
  ...common,
  filter__test__id: z.string().optional(),
  filter__profile__is_male: truth.optional(),
  filter__profile__token: profileToken.optional(),
  filter__profile__external_id: whole.optional(),
})

const roadmapQuery = z.object({
  ...common,
  filter__roadmap__id: z.string().optional(),
  filter__test_records__profile__is_male: truth.optional(),
  filter__test_records__profile__token: profileToken.optional(),
  filter__test_records__profile__external_id: whole.optional(),
})

/** GET /record/: standalone records only, newest first. `url` is the absolute address of the request. */
export function listRecords(world: World, owner: string, url: URL, query: unknown) {
  const asked = readQuery(recordQuery, query)
  const wanted = profileFilter({
    isMale: asked.filter__profile__is_male,
    token: asked.filter__profile__token,
    externalId: asked.filter__profile__external_id,
  })
  const found = Object.values(world.state.records).filter((record) => {
    const profile = profileOf(world, record)
    return (
      record.owner === owner &&
      record.roadmap === null &&
      allows(asked.filter__is_finished, isRecordFinished(world, record)) &&
      allows(asked.filter__test__id, record.testId) &&
      wanted([profile]) &&
      mentions(asked.q, [testById(world, record.testId).title, ...searchable([profile])])
    )
  })
  const records_filter = {
    is_finished: asked.filter__is_finished ?? null,
    test__id: asked.filter__test__id ?? null,
    profile__is_male: asked.filter__profile__is_male ?? null,
    profile__token: asked.filter__profile__token ?? null,
    profile__external_id: asked.filter__profile__external_id ?? null,
  }
  return { ...page(found, asked.page, url, (record) => wireRecordItem(world, record)), records_filter }
}

/** GET /roadmap/: newest first, with the existing product types. */
export function listRoadmaps(world: World, owner: string, url: URL, query: unknown) {
  const asked = readQuery(roadmapQuery, query)
  const wanted = profileFilter({
    isMale: asked.filter__test_records__profile__is_male,
    token: asked.filter__test_records__profile__token,
    externalId: asked.filter__test_records__profile__external_id,
  })
  const found = Object.values(world.state.roadmaps).filter((roadmap) => {
    const profiles = recordsOf(world, roadmap).map((record) => profileOf(world, record))
    const titles = [productById(world, roadmap.productId).title, roadmap.displayTitle]
    return (
      roadmap.owner === owner &&
      allows(asked.filter__is_finished, roadmapStatus(world, roadmap) === 1) &&
      allows(asked.filter__roadmap__id, roadmap.productId) &&
      wanted(profiles) &&
      mentions(asked.q, [...titles, ...searchable(profiles)])
    )
  })
  const roadmaps_filter = [...world.products.values()].map(({ id, title }) => ({ id, title }))
  return { ...page(found, asked.page, url, (roadmap) => wireRoadmapItem(world, roadmap)), roadmaps_filter }
}

function readQuery<T>(schema: z.ZodObject & z.ZodType<T>, query: unknown): T {
  const unknown = Object.keys(query ?? {}).filter(
    (name) => name.startsWith('filter__') && !(name in schema.shape),
  )
  if (unknown.length > 0) throw new Refusal(400, `Invalid filter parameter: ${unknown.join(', ')}.`)
  return parse<T>(schema, query)
}

function page<T extends RecordState | RoadmapState>(
  found: T[],
  number: number,
  url: URL,
  wire: (item: T) => unknown,
) {
  const newestFirst = found.toReversed().toSorted((a, b) => b.createdAt - a.createdAt)
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE))
  const results = newestFirst.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE).map(wire)
  const link = (to: number) => {
    const address = new URL(url)
    address.searchParams.set('page', String(to))
    return address.href
  }
  return {
    count: found.length,
    next: number < pages ? link(number + 1) : null,
    previous: number > 1 ? link(Math.min(number - 1, pages)) : null,
    results,
  }
}

interface ProfileFilter {
  readonly isMale: boolean | undefined
  readonly token: string | undefined
  readonly externalId: number | undefined
}

/** Whether one of the profiles matches the whole filter. */
function profileFilter({ isMale, token, externalId }: ProfileFilter) {
  const anything = isMale === undefined && token === undefined && externalId === undefined
  return (profiles: readonly (ProfileState | null)[]) =>
    anything ||
    profiles.some(
      (profile) =>
        profile !== null &&
        allows(isMale, profile.isMale) &&
        allows(token, profile.token) &&
        allows(externalId, profile.externalId),
    )
}

function allows<T>(wanted: T | undefined, actual: T): boolean {
  return wanted === undefined || wanted === actual
}

function searchable(profiles: readonly (ProfileState | null)[]): string[] {
  return profiles.flatMap((profile) =>
    profile ? [profile.name, profile.mobile, profile.caseNumber, String(profile.externalId ?? '')] : [],
  )
}

function mentions(q: string, texts: readonly string[]): boolean {
  const wanted = q.trim().toLowerCase()
  return wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted))
}
