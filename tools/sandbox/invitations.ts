import { randomUUID } from 'node:crypto'
import type { RecordState, RoadmapState } from './state.ts'
import { productById, recordsOf, testById, type World } from './world.ts'

interface Policy {
  /** 0 waiting for the organizer, 1 finished (records only), 2 ready. */
  readonly status?: 0 | 1 | 2
  readonly authRequired?: boolean
  readonly testsAuthRequired?: boolean
  readonly billing?: 'ok' | 'refused'
  readonly token?: string
  /** `other` belongs to the organizer behind the key `<key>-other`. */
  readonly owner?: 'main' | 'other'
}

export interface RecordSpec extends Policy {
  readonly testId: string
}

export interface RoadmapSpec extends Policy {
  readonly productId: string
  readonly status?: 0 | 2
  readonly displayTitle?: string
}

/** Issues a standalone record; returns its token. A finished one has the first option of every question. */
export function issueRecord(world: World, spec: RecordSpec): string {
  const record = newRecord(world, spec, spec.testId)
  if (spec.status === 1) {
    const { sections } = testById(world, spec.testId)
    record.answers = sections.flatMap(({ questions }) =>
      questions.flatMap(({ options }) => options[0]?.id ?? []),
    )
    record.minutes = 1
    record.submittedAt = world.now()
    record.authRequired = false
  }
  return record.token
}

/** Issues a roadmap with all its nested records; returns its token. */
export function issueRoadmap(world: World, spec: RoadmapSpec): string {
  const product = productById(world, spec.productId)
  const token = spec.token ?? randomUUID()
  const nested = product.tests.map(({ testId, role }) => {
    const record = newRecord(world, { ...spec, token: randomUUID() }, testId)
    return Object.assign(record, { roadmap: token, role }).token
  })
  const roadmap: RoadmapState = {
    ...policy(world, spec),
    token,
    productId: product.id,
    displayTitle: spec.displayTitle ?? product.title,
    groupId: `group-${product.id}`,
    records: nested,
    generation: null,
  }
  world.state.roadmaps[token] = roadmap
  return token
}

/** Changes the organizer's settings of a record or roadmap; false when the token is unknown. */
export function changePolicy(world: World, token: string, change: Omit<Policy, 'token' | 'owner'>): boolean {
  const record = world.state.records[token]
  const roadmap = world.state.roadmaps[token]
  const subjects = roadmap ? [roadmap, ...recordsOf(world, roadmap)] : record ? [record] : []
  for (const subject of subjects) {
    if (change.status !== undefined) subject.waiting = change.status === 0
    subject.billing = change.billing ?? subject.billing
    subject.authRequired = change.authRequired ?? subject.authRequired
    subject.testsAuthRequired = change.testsAuthRequired ?? subject.testsAuthRequired
  }
  return subjects.length > 0
}

function newRecord(world: World, spec: Policy, testId: string): RecordState {
  testById(world, testId)
  const token = spec.token ?? randomUUID()
  const record: RecordState = {
    ...policy(world, spec),
    token,
    testId,
    roadmap: null,
    role: null,
    profile: null,
    answers: null,
    minutes: null,
    submittedAt: null,
  }
  world.state.records[token] = record
  return record
}

function policy(world: World, spec: Policy) {
  return {
    owner: spec.owner ?? 'main',
    waiting: spec.status === 0,
    billing: spec.billing ?? ('ok' as const),
    authRequired: spec.authRequired ?? true,
    testsAuthRequired: spec.testsAuthRequired ?? world.settings.testsAuthRequired,
    createdAt: world.now(),
  }
}
