import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ServiceClient } from '../../src/service/client.ts'
import {
  answers,
  code,
  json,
  localService,
  ok,
  profile,
  type Reply,
  raw,
  recordData,
  refusal,
  roadmapData,
  roles,
  silence,
  testClient,
  token,
} from './local-service.ts'

type Row = [
  name: string,
  call: (client: ServiceClient) => Promise<unknown>,
  request: string,
  data: unknown,
  body?: unknown,
]

const page = { count: 0, next: null, previous: null, results: [] }
const draft = { tests_auth_required: true, draft_token: 'draft' }

/** Every endpoint of the specification: its request, and a possible reply. */
const rows: Row[] = [
  ['connect', (c) => c.connect(), 'GET /v2/auth/connect/', { connect: 'ok' }],
  ['listRecords', (c) => c.listRecords(), 'GET /v2/record/', { ...page, records_filter: {} }],
  ['record', (c) => c.record(token), `GET /v2/record/${token}`, recordData],
  ['authRecord', (c) => c.authRecord(token, profile), `POST /v2/record/${token}/auth/`, draft, profile],
  ['verifyRecord', (c) => c.verifyRecord(token, code), `PUT /v2/record/${token}/auth/verify/`, draft, code],
  ['questions', (c) => c.questions(token), `GET /v2/record/${token}/questions/`, { html: '<p>' }],
  ['submitAnswers', (c) => c.submitAnswers(token, answers), `POST /v2/record/${token}/`, {}, answers],
  ['recordResultJson', (c) => c.recordResultJson(token), `GET /v2/record/${token}/result/json/`, {}],
  [
    'recordResultHtml',
    (c) => c.recordResultHtml(token),
    `GET /v2/record/${token}/result/html/`,
    { html: '<p>' },
  ],
  ['listRoadmaps', (c) => c.listRoadmaps(), 'GET /v2/roadmap/', { ...page, roadmaps_filter: [] }],
  ['roadmap', (c) => c.roadmap(token), `GET /v2/roadmap/${token}`, roadmapData],
  ['authRoadmap', (c) => c.authRoadmap(token, roles), `POST /v2/roadmap/${token}/auth/`, draft, roles],
  [
    'verifyRoadmap',
    (c) => c.verifyRoadmap(token, code),
    `PUT /v2/roadmap/${token}/auth/verify/`,
    { roles: [] },
    code,
  ],
  ['generate', (c) => c.generate(token), `POST /v2/roadmap/${token}/generate/`, { status: 'processing' }],
  [
    'generationStatus',
    (c) => c.generationStatus(token),
    `GET /v2/roadmap/${token}/generate/status/`,
    { status: 'completed' },
  ],
  [
    'roadmapResultHtml',
    (c) => c.roadmapResultHtml(token),
    `GET /v2/roadmap/${token}/result/html/`,
    { html: '<p>' },
  ],
  [
    'roadmapResultJson',
    (c) => c.roadmapResultJson(token),
    `GET /v2/roadmap/${token}/result/json/`,
    ['anything'],
  ],
]

test.each(rows)('%s is called as the specification says', async (name, call, request, data, body) => {
  const service = await localService(ok(data))
  const events: unknown[] = []
  const { client } = testClient(service.url, { onCall: (event) => events.push(event) })
  await call(client)
  expect(service.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([request])
  expect(service.seen[0]?.body).toEqual(body)
  expect(service.seen[0]?.headers['api-key']).toBe('test-key')
  expect(service.seen[0]?.headers['content-type']).toBe(body && 'application/json')
  expect(events).toEqual([{ endpoint: name, status: 200, ms: expect.any(Number) }])
})

test('there is one method for every endpoint', () => {
  const { client } = testClient('http://127.0.0.1:9/v2')
  expect(Object.keys(client).sort()).toEqual([...rows.map(([name]) => name), 'close'].sort())
})

test('filters are sent under their wire names, and unset ones are not sent', async () => {
  const service = await localService(ok(page))
  const { client } = testClient(`${service.url}/`)
  await client.listRecords({
    q: 'مریم و',
    page: 2,
    filter__is_finished: false,
    filter__profile__external_id: 7,
  })
  const url = new URL(service.seen[0]?.path ?? '', 'http://x')
  expect(url.pathname).toBe('/v2/record/')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    q: 'مریم و',
    page: '2',
    filter__is_finished: 'false',
    filter__profile__external_id: '7',
  })
})

test('a request that the specification does not allow is not sent, and takes no slot', async () => {
  const service = await localService(ok({}))
  const { client, slots } = testClient(service.url)
  await expect(client.authRecord(token, { ...profile, mobile: '9121234567' })).rejects.toThrow()
  await expect(client.authRecord(token, { ...profile, external_id: 2 ** 53 })).rejects.toThrow()
  expect(service.seen).toEqual([])
  expect(slots.taken).toBe(0)
})

test('a token cannot lead to another path', async () => {
  const service = await localService(ok(recordData))
  await testClient(service.url).client.record('../roadmap/?x')
  expect(service.seen[0]?.path).toBe('/v2/record/..%2Froadmap%2F%3Fx')
})

describe('a foreign answer is unreadable, and no byte of it is passed on', () => {
  test.each<[string, Reply]>([
    ['an HTML page', raw(200, '<html>Welcome to the hotel</html>')],
    ['nothing', raw(200, '')],
    ['JSON without an envelope', json(200, [1])],
    ['other data', ok({ hello: 'world' })],
    ['no data', json(200, { successful: true, messages: [] })],
    ['a redirect', raw(302, '', { location: 'http://127.0.0.1:9/' })],
    ['an endless page', raw(200, Buffer.alloc(17 * 1024 * 1024, 32))],
    ['a compressed page', raw(200, gzipSync('{}'), { 'content-encoding': 'gzip' })],
  ])('%s', async (_name, reply) => {
    const service = await localService(reply)
    await expect(testClient(service.url).client.record(token)).rejects.toMatchObject({
      code: 'unreadable',
      reached: 'unclear',
    })
    expect(service.seen).toHaveLength(3) // a GET may be repeated
  })
})

test('an error envelope with HTTP 200 is a refusal too', async () => {
  const service = await localService(refusal(200, 'Verification code is invalid.'))
  await expect(testClient(service.url).client.verifyRecord(token, code)).rejects.toMatchObject({
    code: 'code_wrong',
    reached: 'yes',
  })
})

test('an aborted call ends at once with the reason of its signal', async () => {
  const service = await localService(silence)
  const controller = new AbortController()
  const pending = testClient(service.url).client.record(token, { signal: controller.signal })
  await expect.poll(() => service.seen.length).toBe(1)
  controller.abort(new Error('shutting down'))
  await expect(pending).rejects.toThrow('shutting down')
})

test('an error serialises without the words of the service', async () => {
  const service = await localService(refusal(400, 'مریم نام درستی نیست'))
  const error = await testClient(service.url)
    .client.authRecord(token, profile)
    .catch((caught) => caught)
  expect(error.messages).toEqual(['مریم نام درستی نیست'])
  expect(JSON.stringify(error) + String(error.stack)).not.toContain('مریم')
})
