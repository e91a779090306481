import { expect, test } from 'vitest'
import type { Fault } from '../../tools/sandbox/sandbox.ts'
import { answersTo, authenticated, key, type Service, startService } from './service.ts'

const submission = async ({ get }: Service, token: string) => ({
  record: answersTo((await get(`/record/${token}/questions/`)).data),
  doing_duration_in_minutes: 1,
})

test.each([
  ['before', false, false],
  ['after', true, true],
])('a connection cut %s the request takes effect', async (_, executed, finished) => {
  const service = await startService()
  const token = await authenticated(service, 'mood-7')
  const body = await submission(service, token)
  service.sandbox.fault({ kind: 'cut', method: 'POST', path: '^/record/[^/]+/$', executed })
  await expect(service.call('POST', `/record/${token}/`, body)).rejects.toThrow()
  expect(service.sandbox.calls.at(-1)).toMatchObject({ method: 'POST', status: 0 })
  expect((await service.get(`/record/${token}`)).data.is_finished).toBe(finished)
})

test('429 comes with Retry-After if the fault has one', async () => {
  const { get, sandbox } = await startService()
  sandbox.fault({ kind: 'rate-limit', retryAfter: 7 })
  sandbox.fault({ kind: 'rate-limit' })
  const [first, second, third] = [await get('/record/'), await get('/record/'), await get('/record/')]
  expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7'])
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, null])
  expect(first).toMatchObject({ data: null, successful: false })
  expect(third.status).toBe(200)
})

test.each([false, true])('a fault answers with 503, executed %s', async (executed) => {
  const service = await startService()
  const token = await authenticated(service, 'mood-7')
  const body = await submission(service, token)
  service.sandbox.fault({ kind: 'status', status: 503, message: 'Down.', executed })
  const answer = await service.call('POST', `/record/${token}/`, body)
  expect(answer).toMatchObject({ status: 503, data: null, successful: false, messages: ['Down.'] })
  expect((await service.get(`/record/${token}`)).data.is_finished).toBe(executed)
})

test.each([false, true])('a fault answers with HTML instead of JSON, executed %s', async (executed) => {
  const service = await startService()
  const token = await authenticated(service, 'mood-7')
  const body = JSON.stringify(await submission(service, token))
  service.sandbox.fault({ kind: 'garbage', executed })
  const headers = { 'API-KEY': key, 'content-type': 'application/json' }
  const response = await fetch(`${service.base}/record/${token}/`, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/html')
  expect(await response.text()).toContain('<html>')
  expect((await service.get(`/record/${token}`)).data.is_finished).toBe(executed)
})

test.each([false, true])('a fault delays an answer, executed %s', async (executed) => {
  const { get, sandbox } = await startService()
  sandbox.fault({ kind: 'slow', ms: 120, executed })
  const began = performance.now()
  expect((await get('/auth/connect/')).status).toBe(200)
  expect(performance.now() - began).toBeGreaterThan(100)
})

test.each([false, true])('an answer is held back until the fault ends, executed %s', async (executed) => {
  const { get, sandbox } = await startService()
  const slow = sandbox.fault({ kind: 'slow', ms: 60_000, times: 2, executed })
  let isAnswered = false
  const call = get('/auth/connect/').then(({ status }) => {
    isAnswered = true
    return status
  })
  await expect.poll(() => sandbox.calls.length).toBe(1)
  expect(isAnswered).toBe(false)
  slow.end()
  expect(await call).toBe(200)
  expect((await get('/auth/connect/')).status).toBe(200)
})

test('closing does not wait for a slow answer', async () => {
  const { get, sandbox } = await startService()
  sandbox.fault({ kind: 'slow', ms: 3_600_000 })
  const call = get('/auth/connect/').catch(() => 'cut')
  await expect.poll(() => sandbox.calls.length).toBe(1)
  await sandbox.close()
  await call
})

test('faults hit their calls as often as they should, over HTTP too', async () => {
  const { get, call, lever } = await startService()
  const faults: Fault[] = [
    { kind: 'status', status: 500, path: '^/roadmap/', times: 2 },
    { kind: 'status', status: 502, method: 'post' },
  ]
  const added = await lever('POST', '/sandbox/faults', faults)
  expect([added.status, await added.json()]).toEqual([200, { added: 2 }])
  expect((await get('/record/?q=/roadmap/')).status).toBe(200)
  expect((await get('/roadmap/')).status).toBe(500)
  expect((await call('POST', '/roadmap/x/generate/')).status).toBe(500)
  expect((await call('POST', '/roadmap/x/generate/')).status).toBe(502)
  expect((await get('/roadmap/')).status).toBe(200)

  expect((await lever('POST', '/sandbox/faults', { kind: 'cut', times: 1 })).status).toBe(200)
  await expect(get('/record/')).rejects.toThrow()
  for (const bad of [
    { kind: 'fire' },
    { kind: 'status' },
    { kind: 'cut', path: '(' },
    { kind: 'slow', ms: -1 },
    {},
  ])
    expect((await lever('POST', '/sandbox/faults', bad)).status).toBe(400)
})

test('a generation failure can be limited to one roadmap', async () => {
  const service = await startService()
  const { sandbox, call, get, pass } = service
  const [one, other] = [
    sandbox.addRoadmap({ productId: 'solo', authRequired: false }),
    sandbox.addRoadmap({ productId: 'solo', authRequired: false }),
  ]
  sandbox.fault({ kind: 'generation-failure', path: other })
  for (const token of [one, other]) {
    for (const { token: nested } of (await get(`/roadmap/${token}`)).data.test_records) {
      const body = await submission(service, nested)
      await call('POST', `/record/${nested}/`, body)
    }
    await call('POST', `/roadmap/${token}/generate/`)
  }
  pass(20)
  expect((await get(`/roadmap/${one}/generate/status/`)).data.status).toBe('completed')
  expect((await get(`/roadmap/${other}/generate/status/`)).data.status).toBe('failed')
})
