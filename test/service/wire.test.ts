import { describe, expect, test } from 'vitest'
import { readReply } from '../../src/service/call.ts'
import { type DataOf, type EndpointName, endpoints } from '../../src/service/endpoints.ts'
import { ServiceError } from '../../src/service/errors.ts'
import { recordData, roadmapData, token } from './local-service.ts'

const read = <N extends EndpointName>(endpoint: N, data: unknown) =>
  endpoints[endpoint].data.parse(data) as DataOf<N>

describe('a record', () => {
  test('is read whole', () => {
    const { categories, ...test } = recordData.test
    expect(read('record', recordData)).toEqual({ ...recordData, test })
  })

  test('is read without its optional fields, with unknown ones, and with numbers for ids', () => {
    const sparse = {
      token,
      status: '2',
      auth_required: 1,
      is_finished: 'false',
      test: {
        id: 7,
        title: 'آزمون',
        min_age: null,
        doing_time_minutes: '5',
        new: 1,
      },
      invented: { by: 'a later version' },
    }
    expect(read('record', sparse)).toEqual({
      token,
      status: 2,
      auth_required: true,
      tests_auth_required: true, // the default of the policy
      is_finished: false,
      test: {
        id: '7',
        title: 'آزمون',
        min_age: null,
        max_age: null,
        gender_permission: null,
        questions_count: null,
        doing_time_minutes: 5,
      },
      profile: null,
    })
  })

  test('keeps the readable part of its profile', () => {
    const { profile } = read('record', { ...recordData, profile: { token, age: 'forty', external_id: 5 } })
    expect(profile).toMatchObject({ token, age: null, external_id: 5, name: null })
    const long = read('record', { ...recordData, profile: { token, external_id: '1157442765409226769' } })
    expect(long.profile).toMatchObject({ token, external_id: null })
  })

  test.each(['', ' '])('without a title (%j) is called by the id of its test', (title) => {
    const { test } = read('record', { ...recordData, test: { ...recordData.test, title } })
    expect(test.title).toBe('t1')
  })

  test.each(['token', 'status', 'auth_required', 'is_finished', 'test'])(
    'is refused without its %s',
    (field) => {
      expect(endpoints.record.data.safeParse({ ...recordData, [field]: undefined }).success).toBe(false)
    },
  )
})

describe('a roadmap', () => {
  test('is read whole', () => {
    const { group_id, submit_on, create, ...asked } = roadmapData
    const test_records = asked.test_records.map(({ test_id, submit_on, ...record }) => record)
    const { title, roles } = asked.roadmap
    expect(read('roadmap', roadmapData)).toEqual({ ...asked, roadmap: { title, roles }, test_records })
  })

  test.each([
    ['t1', 't1'],
    [7, '7'],
    [null, ''],
  ])('calls a test without a title by its id (%j)', (test_id, expected) => {
    const [nested] = roadmapData.test_records
    const test_records = [{ ...nested, test_id, test_title: '' }]
    expect(read('roadmap', { ...roadmapData, test_records }).test_records[0]?.test_title).toBe(expected)
  })

  test('takes the roles of its product if it repeats none', () => {
    const { roles, ...bare } = roadmapData
    expect(read('roadmap', { ...bare, roadmap: { ...bare.roadmap, roles } }).roles).toEqual(roles)
  })

  test('is refused with an unreadable record, rather than shown with a test missing', () => {
    expect(endpoints.roadmap.data.safeParse({ ...roadmapData, test_records: [{ token }] }).success).toBe(
      false,
    )
  })
})

describe('a page of a list', () => {
  const stateless = { token, status: null, is_finished: undefined, auth_required: 'maybe' }
  const page = (items: unknown[]) => ({ count: items.length, next: null, previous: null, results: items })

  test.each([
    ['records', 'listRecords', recordData],
    ['roadmaps', 'listRoadmaps', roadmapData],
  ] as const)('of %s is read item by item', (_, endpoint, whole) => {
    const results = [whole, null, { ...stateless, test: null }, { ...whole, token: null }, 'x', whole]
    expect(read(endpoint, page(results)).results).toMatchObject([
      { token: whole.token, status: whole.status },
      null,
      { token, status: null, is_finished: null, auth_required: null },
      null,
      null,
      { token: whole.token },
    ])
  })

  test('shows a record without its test', () => {
    const [one, two] = read(
      'listRecords',
      page([{ ...recordData, test: { id: null, title: 'آزمون' } }, stateless]),
    ).results
    expect(one?.test).toMatchObject({ id: null, title: 'آزمون' })
    expect(two?.test).toBeNull()
  })
})

test.each([
  [{ connect: 'ok' }, true],
  [{ connected: true }, true],
  [{ connect: 'ok', connected: true }, true],
  [{ connected: false }, false],
  [{ connect: 'no' }, false],
  [{}, false],
])('connection check %j: connected is %s', (data, connected) => {
  expect(endpoints.connect.data.safeParse(data).success).toBe(connected)
})

test.each([
  [
    { tests_auth_required: true, draft_token: 'd' },
    { tests_auth_required: true, draft_token: 'd' },
  ],
  [{ draft_token: 'd' }, { tests_auth_required: true, draft_token: 'd' }],
  [
    { tests_auth_required: false, profile: null },
    { tests_auth_required: false, profile: null },
  ],
  [{ tests_auth_required: false }, { tests_auth_required: false, profile: null }],
  [{ tests_auth_required: true }, undefined],
])('auth answered %j', (data, expected) => {
  expect(endpoints.authRecord.data.safeParse(data)).toMatchObject(
    expected ? { data: expected } : { success: false },
  )
})

test('the roles of a roadmap come back with their profiles', () => {
  const data = { tests_auth_required: false, roles: [{ role_id: 1, profile: { token, name: 'علی' } }] }
  expect(read('authRoadmap', data)).toMatchObject({ roles: [{ role_id: 1, profile: { name: 'علی' } }] })
})

test.each([
  [{ status: 'processing' }, { status: 'processing', errors: [] }],
  [{ state: 'completed' }, { status: 'completed', errors: [] }],
  [
    { status: 'FAILED', errors: ['x'] },
    { status: 'failed', errors: ['x'] },
  ],
  [
    { status: 'failed', errors: null },
    { status: 'failed', errors: [] },
  ],
  [
    { status: 'failed', errors: ['x', null, { y: 1 }, 'z'] },
    { status: 'failed', errors: ['x', 'z'] },
  ],
  [{ status: 'queued' }, { status: 'processing', errors: [] }],
  [{ status: 'dreaming' }, { status: 'unknown', errors: [] }],
  [{ status: { toString: 1 } }, { status: 'unknown', errors: [] }],
  ['dreaming', undefined],
])('generation answered %j', (data, expected) => {
  expect(endpoints.generationStatus.data.safeParse(data)).toMatchObject(
    expected ? { data: expected } : { success: false },
  )
})

test.each([
  { scales: [{ id: 1, score: '12.5', percentile: null }, 'x', null], summary: 7, chart: { a: 1 } },
  { scales: 'none' },
  {},
])('a result %j comes through as it is: the domain reads it', (data) => {
  expect(read('recordResultJson', data)).toEqual(data)
})

test('messages of any depth are a refusal like any other', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const text = `{"successful":false,"data":null,"messages":${deep}}`
  for (const status of [200, 400, 500]) {
    const answer = { status, text, retryAfter: undefined, date: undefined }
    const reading = () => readReply('submitAnswers', answer, { sentExternalId: false, now: 0 })
    expect(reading).toThrow(ServiceError)
  }
})

test.each([null, undefined, 'ready', 7, []])('%j is no result', (data) => {
  expect(endpoints.recordResultJson.data.safeParse(data).success).toBe(false)
})
