import { ageOn, today } from './calendar.ts'
import { questionsOf } from './catalogue/test.ts'
import type { TestResult } from './scoring.ts'
import type { ProfileState, RecordState, RoadmapState } from './state.ts'
import { productById, profileOf, recordsOf, testById, type World } from './world.ts'

/** A record's status as in the specification. During scoring it is 1 although the record is not finished. */
function recordStatus(record: RecordState): 0 | 1 | 2 {
  if (record.submittedAt !== null) return 1
  return record.waiting ? 0 : 2
}

/** Whether a record is completed and its result is available. */
export function isRecordFinished(world: World, { submittedAt }: RecordState): boolean {
  return submittedAt !== null && world.now() >= submittedAt + world.settings.scoringSeconds * 1000
}

/** The state of the analysis; undefined when none was requested. */
export function generationStatus(world: World, { generation }: RoadmapState) {
  if (generation === null) return undefined
  if (world.now() < generation.endsAt) return 'processing'
  return generation.errors === null ? 'completed' : 'failed'
}

/**
 * A roadmap's status as in the specification. It is in progress (3) from the first linked profile or
 * submitted test, and again after a failed generation. A finished roadmap stays finished, whatever the
 * organizer changes afterwards.
 */
export function roadmapStatus(world: World, roadmap: RoadmapState): 0 | 1 | 2 | 3 | 4 {
  const generation = generationStatus(world, roadmap)
  if (generation === 'completed') return 1
  if (generation === 'processing') return 4
  if (roadmap.waiting) return 0
  const begun = recordsOf(world, roadmap).some(
    ({ profile, submittedAt }) => profile !== null || submittedAt !== null,
  )
  return begun ? 3 : 2
}

/** A profile as the specification writes it. */
export function wireProfile(world: World, profile: ProfileState | null) {
  if (profile === null) return null
  const { token, externalId, caseNumber, mobile, name, birth, isMale } = profile
  return {
    token,
    external_id: externalId,
    case_number: caseNumber,
    mobile,
    name,
    age: ageOn(birth, today(world.now())),
    birth,
    is_male: isMale,
  }
}

/** A record as the specification writes it. */
export function wireRecord(world: World, record: RecordState) {
  const test = testById(world, record.testId)
  return {
    ...recordHead(world, record),
    test: {
      id: test.id,
      min_age: test.minAge,
      max_age: test.maxAge,
      gender_permission: test.gender,
      title: test.title,
      questions_count: questionsOf(test).length,
      doing_time_minutes: test.minutes,
      categories: test.categories,
    },
    profile: wireProfile(world, profileOf(world, record)),
  }
}

/** A record in a list: its test has only `id` and `title`. */
export function wireRecordItem(world: World, record: RecordState) {
  const { id, title } = testById(world, record.testId)
  return {
    ...recordHead(world, record),
    test: { id, title },
    profile: wireProfile(world, profileOf(world, record)),
  }
}

/** A roadmap with all its parts, as the specification writes it. */
export function wireRoadmap(world: World, roadmap: RoadmapState) {
  const product = productById(world, roadmap.productId)
  const roles = product.roles.map(({ id, title, minAge, maxAge, gender }) => ({
    id,
    title,
    min_age: minAge,
    max_age: maxAge,
    gender: { both: 0, male: 1, female: 2 }[gender],
  }))
  return {
    ...roadmapHead(world, roadmap),
    roadmap: {
      id: product.id,
      title: product.title,
      current_version: product.version,
      roles,
      groups: [],
      categories: [],
    },
    roles,
    test_records: recordsOf(world, roadmap).map((record) => ({
      ...recordHead(world, record),
      test_id: record.testId,
      test_title: testById(world, record.testId).title,
      submit_on: timestamp(record.submittedAt),
      role: record.role,
    })),
  }
}

/** A roadmap in a list. */
export function wireRoadmapItem(world: World, roadmap: RoadmapState) {
  const { id, title } = productById(world, roadmap.productId)
  return { ...roadmapHead(world, roadmap), roadmap_id: id, roadmap_title: title }
}

/** A result in the shape of the specification: scales and summary. */
export function wireResult({ scales, summary }: TestResult) {
  return {
    scales: scales.map(({ scale: { id, title }, score, percentile, interpretation }) => ({
      id,
      title,
      score,
      percentile,
      interpretation,
    })),
    summary,
  }
}

function recordHead(world: World, record: RecordState) {
  return {
    token: record.token,
    status: recordStatus(record),
    auth_required: record.authRequired,
    tests_auth_required: record.testsAuthRequired,
    is_finished: isRecordFinished(world, record),
  }
}

function roadmapHead(world: World, roadmap: RoadmapState) {
  const status = roadmapStatus(world, roadmap)
  return {
    token: roadmap.token,
    display_title: roadmap.displayTitle,
    group_id: roadmap.groupId,
    status,
    auth_required: roadmap.authRequired,
    tests_auth_required: roadmap.testsAuthRequired,
    is_finished: status === 1,
    submit_on: timestamp(lastSubmission(world, roadmap)),
    create: new Date(roadmap.createdAt).toISOString(),
  }
}

/** The time of the last submission; null until all tests are submitted. */
function lastSubmission(world: World, roadmap: RoadmapState): number | null {
  const times = recordsOf(world, roadmap).map(({ submittedAt }) => submittedAt)
  return times.every((time) => time !== null) ? Math.max(...times) : null
}

function timestamp(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
