import { expect, test } from 'vitest'
import { HOUR_MS } from '../../src/domain/durations.ts'
import { newRecordFile } from '../../src/domain/record/record.ts'
import { everyRecord } from '../../src/domain/roadmap.ts'
import { describeRoadmap } from '../../src/participant/roadmap-records.ts'
import { roadmapSchema } from '../../src/service/wire.ts'
import { changedService } from '../dialogs/changed-service.ts'
import { roadmapData } from '../service/local-service.ts'
import { story } from './gather.ts'
import { FATHER } from './kin.ts'

const tokens = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
const withRecords = (...named: string[]) => {
  const known = roadmapSchema.parse(roadmapData)
  const [record] = known.test_records
  if (!record) throw new Error('a roadmap without records')
  return { ...known, test_records: named.map((token) => ({ ...record, token })) }
}

test('a record that the service drops stays in reach, and is the same when it comes back', () => {
  const file = newRecordFile({ s: 'a', token: 't', seenAt: 0 }, 'roadmap')
  const shown = () => file.roadmap?.records.map(({ s }) => s)
  const every = () => (file.roadmap ? everyRecord(file.roadmap).map(({ s }) => s) : [])
  describeRoadmap(file, withRecords(...tokens), 1)
  const both = shown() ?? []
  expect(new Set(both).size).toBe(2)
  describeRoadmap(file, withRecords(...tokens.slice(0, 1)), 2)
  expect([shown(), every()]).toEqual([both.slice(0, 1), both])
  describeRoadmap(file, withRecords(...tokens), 3)
  expect([shown(), every()]).toEqual([both, both])
})

test('two children keep their titles when the service names the roles in another order', () => {
  const file = newRecordFile({ s: 'a', token: 't', seenAt: 0 }, 'roadmap')
  const known = roadmapSchema.parse(roadmapData)
  const child = { title: 'فرزند', min_age: null, max_age: null, gender: 0 }
  const children = [23, 24].map((id) => ({ ...child, id }))
  const called = () => new Map(file.roadmap?.roles.map(({ id, title }) => [id, title]))
  describeRoadmap(file, { ...known, roles: children }, 1)
  const before = called()
  describeRoadmap(file, { ...known, roles: children.toReversed() }, 2)
  expect(called()).toEqual(before)
})

story('a test that the service moves to another role goes to that role’s account', async ({ gather }) => {
  const { owner, other, world, waits, restarts } = await gather({ at: 'board' })
  await other.accepts(await owner.hands(FATHER))
  await other.takesAll()
  const change = (_: string, data: { test_records?: object[] } | null) =>
    data?.test_records
      ? {
          ...data,
          test_records: data.test_records.map((each, at) => (at === 5 ? { ...each, role: FATHER } : each)),
        }
      : data
  await restarts({ SERVICE_URL: await changedService(() => world.sandbox, change) })
  await waits(HOUR_MS + 60_000)
  await other.opens('')
  await other.taps(other.offered[0] ?? '', other.board)
  // The profile of the test is a child's.
  expect(other.place).toBe('guardian')
})
