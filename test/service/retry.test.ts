import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createBreaker } from '../../src/service/breaker.ts'
import type { ServiceClient } from '../../src/service/client.ts'
import { fakeClock } from './fake-clock.ts'
import {
  answers,
  code,
  cut,
  cutInBody,
  deadPort,
  json,
  listen,
  localService,
  ok,
  profile,
  type Reply,
  raw,
  recordData,
  refusal,
  roles,
  silence,
  testClient,
  token,
} from './local-service.ts'
import { createEmbeddedBudget } from './own-budget.ts'

/** Calls that may be repeated: they read, or have the same effect again. */
const harmless: [string, (client: ServiceClient) => Promise<unknown>, unknown][] = [
  ['GET record', (c) => c.record(token), recordData],
  ['generate', (c) => c.generate(token), { status: 'processing' }],
]
const harmful: [string, (client: ServiceClient) => Promise<unknown>, unknown][] = [
  ['auth', (c) => c.authRecord(token, profile), { draft_token: 'd' }],
  ['auth of a roadmap', (c) => c.authRoadmap(token, roles), { draft_token: 'd' }],
  ['verify', (c) => c.verifyRecord(token, code), { tests_auth_required: true, profile: null }],
  ['verify of a roadmap', (c) => c.verifyRoadmap(token, code), { roles: [] }],
  ['submit', (c) => c.submitAnswers(token, answers), {}],
]
const unclear: [string, Reply, string][] = [
  ['reset before an answer', cut, 'unavailable'],
  ['reset within the answer', cutInBody, 'unavailable'],
  ['silence', silence, 'unavailable'],
  ['500', refusal(500, 'oops'), 'unavailable'],
  ['502 of a proxy', raw(502, '<html>'), 'unavailable'],
  ['503', refusal(503), 'unavailable'],
  ['408', refusal(408), 'unavailable'],
  ['an unreadable body', raw(200, '<html>'), 'unreadable'],
]
const patience = (reply: Reply) => (reply === silence ? { timeouts: { headersMs: 300 } } : {})

describe.each(harmless)('%s', (_name, call, data) => {
  test.each(unclear)('after %s is repeated', async (_what, reply) => {
    const service = await localService(reply, ok(data))
    const { client, slept } = testClient(service.url, patience(reply))
    await call(client)
    expect(service.seen).toHaveLength(2)
    expect(slept).toEqual([500])
  })

  test('is given up after the third failure', async () => {
    const service = await localService(refusal(500))
    const { client, slept } = testClient(service.url)
    await expect(call(client)).rejects.toMatchObject({ code: 'unavailable', reached: 'unclear', status: 500 })
    expect(service.seen).toHaveLength(3)
    expect(slept).toEqual([500, 1000])
  })
})

describe.each(harmful)('%s', (_name, call, data) => {
  test.each(unclear)('after %s is not repeated', async (_what, reply, expected) => {
    const service = await localService(reply, ok(data))
    const { client } = testClient(service.url, patience(reply))
    await expect(call(client)).rejects.toMatchObject({ code: expected, reached: 'unclear' })
    expect(service.seen).toHaveLength(1)
  })

  test('is repeated when the service was not reached', async () => {
    const port = await deadPort()
    const { client, slept } = testClient(`http://127.0.0.1:${port}/v2`)
    await expect(call(client)).rejects.toMatchObject({ code: 'unavailable', reached: 'no' })
    expect(slept).toEqual([500, 1000])
  })

  test('is repeated when the connection broke while it was opened', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.on('error', () => undefined).once('data', () => socket.resetAndDestroy()) // the TLS hello
    })
    const { client } = testClient(`https://127.0.0.1:${await listen(server)}/v2`)
    await expect(call(client)).rejects.toMatchObject({ code: 'unavailable', reached: 'no' })
    expect(connections).toBe(3)
  })

  test('is repeated after a 429, which did nothing', async () => {
    const service = await localService(refusal(429), ok(data))
    const { client, paused, slept } = testClient(service.url)
    await call(client)
    expect(service.seen).toHaveLength(2)
    expect(paused).toEqual([undefined])
    expect(slept).toEqual([])
  })
})

test('a call to a name that does not resolve did not reach the service', async () => {
  const { client, slept } = testClient('http://no-such-host.invalid/v2')
  await expect(client.submitAnswers(token, answers)).rejects.toMatchObject({ reached: 'no' })
  expect(slept).toHaveLength(2)
})

test('a call to a service that accepts but never greets did not reach it', async () => {
  const server = createServer((socket) => void socket.on('error', () => undefined))
  const { client } = testClient(`https://127.0.0.1:${await listen(server)}/v2`, { timeouts: { totalMs: 50 } })
  await expect(client.verifyRecord(token, code)).rejects.toMatchObject({ code: 'unavailable', reached: 'no' })
})

describe.each([400, 401, 403, 404, 409, 422])('a %i is final', (status) => {
  test.each([...harmless, ...harmful])('for %s', async (_name, call) => {
    const service = await localService(refusal(status, 'no'))
    await expect(call(testClient(service.url).client)).rejects.toMatchObject({ reached: 'yes', status })
    expect(service.seen).toHaveLength(1)
  })
})

describe('a 429', () => {
  test.each<[string, Record<string, string>, number | undefined]>([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['a date', { 'retry-after': 'Thu, 01 Jan 1970 02:00:12 GMT' }, 12_000],
    ['a date in the past', { 'retry-after': 'Thu, 01 Jan 1970 01:59:00 GMT' }, undefined],
    ['no time', { 'retry-after': '0' }, undefined],
    ['nonsense', { 'retry-after': 'soon' }, undefined],
    ['nothing', {}, undefined],
  ])('with %s as Retry-After pauses the budget for that time', async (_what, headers, expected) => {
    const date = 'Thu, 01 Jan 1970 02:00:00 GMT'
    const service = await localService(json(429, {}, { date, ...headers }), ok(recordData))
    // Its clock tells its dates, not that of the bot.
    const { client, paused } = testClient(service.url, { now: () => 0 })
    await client.record(token)
    expect(paused).toEqual([expected])
  })

  test('that does not end is reported as such', async () => {
    const service = await localService(json(429, {}, { 'retry-after': '3' }))
    const { client, paused } = testClient(service.url)
    await expect(client.record(token)).rejects.toMatchObject({
      code: 'rate_limited',
      reached: 'no',
      retryAfterMs: 3000,
    })
    expect(service.seen).toHaveLength(6)
    expect(paused).toHaveLength(6)
  })

  test('does not hold up a bot that stops: the next process makes the call', async () => {
    const service = await localService(json(429, {}, { 'retry-after': '60' }))
    const budget = createEmbeddedBudget({ perMinute: 100, perHour: 3000, now: Date.now })
    const { client } = testClient(service.url, { budget })
    const onQueued = () => void budget.close()
    await expect(client.submitAnswers(token, answers, { onQueued })).rejects.toMatchObject({
      code: 'no_slot',
      reached: 'no',
    })
    expect(service.seen).toHaveLength(1)
  })
})

test('a connection that the service closed while idle is replaced, not taken for a lost call', async () => {
  const service = await localService(ok(recordData), ok({}))
  const { client } = testClient(service.url)
  await client.record(token)
  await expect.poll(service.closeIdle).toBe(0)
  await client.submitAnswers(token, answers)
  expect(service.seen).toHaveLength(2)
})

test('every attempt takes its own slot', async () => {
  const service = await localService(refusal(500), refusal(500), ok(recordData))
  const { client, slots } = testClient(service.url)
  await client.record(token)
  expect(slots).toEqual({ taken: 3, released: 3, cancelled: 0 })
})

test('a call that waits for its slot when the bot stops is not made', async () => {
  const service = await localService(ok(recordData))
  const budget = createEmbeddedBudget({ perMinute: 1, perHour: 100, now: Date.now })
  const { client } = testClient(service.url, { budget })
  await client.record(token)
  const onQueued = () => void budget.close()
  await expect(client.record(token, { onQueued })).rejects.toMatchObject({ code: 'no_slot', reached: 'no' })
  expect(service.seen).toHaveLength(1)
})

describe('the breaker', () => {
  test('spares a service that is down, and tries again later', async () => {
    const { now, leap } = fakeClock()
    const service = await localService(...Array.from({ length: 6 }, () => refusal(503)), ok(recordData))
    const breaker = createBreaker({ now })
    const budget = createEmbeddedBudget({ perMinute: 6, perHour: 7, now })
    const { client } = testClient(service.url, { breaker, budget })
    for (let i = 0; i < 2; i += 1)
      await expect(client.record(token)).rejects.toMatchObject({ reached: 'unclear' })

    // Not refused for want of a slot: no call waits in line for a service that is down.
    await expect(client.record(token)).rejects.toMatchObject({ code: 'unavailable', reached: 'no' })
    expect([service.seen.length, breaker.isOpen()]).toEqual([6, true])

    leap(61_000)
    expect((await client.record(token)).token).toBe(token)
    expect(breaker.isOpen()).toBe(false)
  })

  test('opens again when the one attempt fails too', async () => {
    const { now, leap } = fakeClock()
    const service = await localService(refusal(503))
    const { client, slept } = testClient(service.url, { breaker: createBreaker({ now }) })
    for (const options of [...Array(4).fill({ retries: false }), {}])
      await expect(client.record(token, options)).rejects.toMatchObject({ reached: 'unclear' })
    expect(service.seen).toHaveLength(6)
    expect(slept).toEqual([500])
    leap(10_000)
    await expect(client.record(token)).rejects.toMatchObject({ reached: 'unclear' })
    expect(service.seen).toHaveLength(7)
  })

  test('is not opened by refusals, which are answers', async () => {
    const down = refusal(503)
    const service = await localService(
      down,
      down,
      refusal(404),
      down,
      down,
      refusal(409),
      down,
      down,
      refusal(404),
    )
    const { client } = testClient(service.url)
    for (const _ of [1, 2, 3]) await expect(client.record(token)).rejects.toMatchObject({ reached: 'yes' })
  })
})
