import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { key, startService } from './service.ts'

test('the connection check answers in the envelope', async () => {
  const { get } = await startService()
  expect(await get('/auth/connect/')).toMatchObject({
    status: 200,
    data: { connect: 'ok' },
    successful: true,
    messages: [],
  })
})

test.each([
  ['missing', null, 401],
  ['unknown', 'another-key', 401],
  ['revoked', `${key}-revoked`, 403],
])('a key that is %s is refused', async (_, given, status) => {
  const { call } = await startService()
  const answer = await call('GET', '/record/', undefined, given)
  expect(answer).toMatchObject({ status, data: null, successful: false })
  expect(answer.messages).toHaveLength(1)
})

test('a record or roadmap of another organizer is reported as 404', async () => {
  const { call, get, sandbox } = await startService()
  const record = sandbox.addRecord({ testId: 'mood-7', owner: 'other' })
  const roadmap = sandbox.addRoadmap({ productId: 'solo', owner: 'other' })
  expect((await get(`/record/${record}`)).status).toBe(404)
  expect((await get(`/roadmap/${roadmap}`)).status).toBe(404)
  expect((await get('/record/')).data.count).toBe(0)
  expect((await call('GET', `/record/${record}`, undefined, `${key}-other`)).status).toBe(200)
  expect((await call('GET', `/roadmap/${roadmap}`, undefined, `${key}-other`)).status).toBe(200)
})

test.each([
  ['GET', '/record/{r}/'],
  ['GET', '/record'],
  ['POST', '/record/{r}'],
  ['POST', '/record/{r}/auth'],
  ['PUT', '/record/{r}/auth/verify'],
  ['GET', '/record/{r}/questions'],
  ['GET', '/record/{r}/result/json'],
  ['GET', '/roadmap/{m}/'],
  ['POST', '/roadmap/{m}/generate'],
  ['GET', '/roadmap/{m}/generate/status'],
  ['GET', '/auth/connect'],
  ['GET', '/nothing/'],
])('%s %s is not a path of the specification', async (method, path) => {
  const { call, sandbox } = await startService()
  const record = sandbox.addRecord({ testId: 'mood-7' })
  const roadmap = sandbox.addRoadmap({ productId: 'solo' })
  const answer = await call(
    method,
    path.replace('{r}', record).replace('{m}', roadmap),
    method === 'GET' ? undefined : {},
  )
  expect(answer).toMatchObject({ status: 404, data: null, successful: false, messages: ['Not found.'] })
})

test.each([
  ['not an address', '%zz'],
  ['far too long', 'a'.repeat(101)],
])('a token that is %s is 404 in the envelope, for callers with a valid key', async (_, token) => {
  const { call } = await startService({ rateLimits: { perMinute: 1, perHour: 10 } })
  const look = (given: string | null) => call('GET', `/record/${token}`, undefined, given)
  expect(await look(null)).toMatchObject({ status: 401, data: null, successful: false })
  expect(await look(`${key}-revoked`)).toMatchObject({ status: 403, data: null, successful: false })
  expect(await look(key)).toMatchObject({
    status: 404,
    data: null,
    successful: false,
    messages: ['Not found.'],
  })
  expect((await look(key)).status).toBe(429)
})

test.each([
  ['GET', '/record/{t}'],
  ['POST', '/record/{t}/auth/'],
  ['PUT', '/record/{t}/auth/verify/'],
  ['GET', '/record/{t}/questions/'],
  ['POST', '/record/{t}/'],
  ['GET', '/record/{t}/result/json/'],
  ['GET', '/record/{t}/result/html/'],
  ['GET', '/roadmap/{t}'],
  ['POST', '/roadmap/{t}/auth/'],
  ['PUT', '/roadmap/{t}/auth/verify/'],
  ['POST', '/roadmap/{t}/generate/'],
  ['GET', '/roadmap/{t}/generate/status/'],
  ['GET', '/roadmap/{t}/result/html/'],
  ['GET', '/roadmap/{t}/result/json/'],
])('%s %s of an unknown token is 404', async (method, path) => {
  const { call } = await startService()
  const answer = await call(method, path.replace('{t}', randomUUID()), method === 'GET' ? undefined : {})
  expect(answer).toMatchObject({ status: 404, data: null, successful: false })
  expect(answer.messages).toEqual([path.startsWith('/record') ? 'Record not found.' : 'Roadmap not found.'])
})

test('a body that is not JSON is refused in the envelope', async () => {
  const { base, sandbox } = await startService()
  const token = sandbox.addRecord({ testId: 'mood-7' })
  const response = await fetch(`${base}/record/${token}/auth/`, {
    method: 'POST',
    headers: { 'API-KEY': key, 'content-type': 'application/json' },
    body: '{',
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    data: null,
    successful: false,
    messages: ['The body is not valid JSON.'],
  })
})

test('the 101st call in a minute is refused, and a minute later calls are accepted again', async () => {
  const { get, pass } = await startService({ rateLimits: { perMinute: 100, perHour: 3000 } })
  for (let call = 0; call < 100; call += 1) expect((await get('/auth/connect/')).status).toBe(200)
  expect(await get('/auth/connect/')).toMatchObject({ status: 429, data: null, successful: false })
  pass(59)
  expect((await get('/auth/connect/')).status).toBe(429)
  pass(1)
  expect((await get('/auth/connect/')).status).toBe(200)
})

test('the hourly limit slides too, and a refused call does not count', async () => {
  const { get, pass } = await startService({ rateLimits: { perMinute: 10, perHour: 25 } })
  const statuses: number[] = []
  for (let minute = 0; minute < 3; minute += 1) {
    for (let call = 0; call < 10; call += 1) statuses.push((await get('/auth/connect/')).status)
    pass(60)
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(25)
  expect(statuses.slice(25)).toEqual(Array(5).fill(429))
  pass(57 * 60)
  expect((await get('/auth/connect/')).status).toBe(200)
})

test('each key has its own limits, and calls with unknown keys use up none', async () => {
  const { call } = await startService({ rateLimits: { perMinute: 1, perHour: 10 } })
  expect((await call('GET', '/auth/connect/', undefined, 'stranger')).status).toBe(401)
  expect((await call('GET', '/auth/connect/')).status).toBe(200)
  expect((await call('GET', '/auth/connect/')).status).toBe(429)
  expect((await call('GET', '/auth/connect/', undefined, `${key}-other`)).status).toBe(200)
})
