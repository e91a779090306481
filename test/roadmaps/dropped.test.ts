import { expect, test } from 'vitest'
import { newRecordFile } from '../../src/domain/record/record.ts'
import { everyRecord } from '../../src/domain/roadmap.ts'
import { describeRoadmap } from '../../src/participant/check-record.ts'
import { roadmapSchema } from '../../src/service/wire.ts'
import { roadmapData } from '../service/local-service.ts'

const tokens = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
const withRecords = (...named: string[]) => {
  const known = roadmapSchema.parse(roadmapData)
  const [record] = known.test_records
  if (!record) throw new Error('a roadmap without records')
  return { ...known, test_records: named.map((token) => ({ ...record, token })) }
}

test('a record that the service names no more stays in reach, and is the same when it comes back', () => {
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
