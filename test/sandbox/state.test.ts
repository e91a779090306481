import { expect, test, vi } from 'vitest'
import { createSandbox } from '../../tools/sandbox/sandbox.ts'
import { answeredRoadmap, authenticated, key, person, startService } from './service.ts'

test('a sandbox continues from a snapshot: drafts, profiles, answers and running analyses', async () => {
  let kept: unknown
  const before = await startService({ onChange: (snapshot) => (kept = JSON.parse(JSON.stringify(snapshot))) })
  const seeds = before.sandbox.seed()
  const record = before.sandbox.addRecord({ testId: 'mood-7' })
  const { draft_token } = (await before.call('POST', `/record/${record}/auth/`, person)).data
  const roadmap = await answeredRoadmap(before)
  before.pass(100)
  await before.call('POST', `/roadmap/${roadmap}/generate/`)
  await before.sandbox.close()

  const after = await startService({ snapshot: kept })
  after.pass(110)
  expect(after.sandbox.seed()).toEqual(seeds)
  const vcode = after.sandbox.sms()[0]?.code
  expect((await after.call('PUT', `/record/${record}/auth/verify/`, { draft_token, vcode })).status).toBe(200)
  expect((await after.get(`/roadmap/${roadmap}/generate/status/`)).data.status).toBe('processing')
  after.pass(10)
  expect((await after.get(`/roadmap/${roadmap}/result/html/`)).status).toBe(200)
  const [nested] = (await after.get(`/roadmap/${roadmap}`)).data.test_records
  expect(after.sandbox.submissions(nested.token)).toHaveLength(1)
})

test('the state is stored before the answer is sent', async () => {
  const snapshots: string[] = []
  const service = await startService({ onChange: (snapshot) => snapshots.push(JSON.stringify(snapshot)) })
  const token = service.sandbox.addRecord({ testId: 'mood-7', testsAuthRequired: false })
  service.sandbox.fault({ kind: 'cut', executed: true })
  await expect(service.call('POST', `/record/${token}/auth/`, person)).rejects.toThrow()
  expect(snapshots.at(-1)).toContain(person.name)
})

test('a foreign snapshot is refused', () => {
  expect(() => createSandbox({ snapshot: { version: 0 } })).toThrow('snapshot')
})

test('the invitations cover every kind of test and every product, and open', async () => {
  const { get, lever, sandbox } = await startService()
  const seeds = sandbox.seed()
  expect(sandbox.seed()).toEqual(seeds)
  const testIds = new Set<string>()
  const products = new Set<string>()
  const statuses = new Set<number>()
  for (const { kind, token, payload, title, note } of seeds) {
    expect(payload).toBe(`${kind}_${token}`)
    expect(title && note).not.toBe('')
    const { status, data } = await get(`/${kind}/${token}`)
    expect(status).toBe(200)
    statuses.add(data.status)
    if (kind === 'record') testIds.add(data.test.id)
    else products.add(data.roadmap.id)
  }
  expect([...testIds]).toEqual(
    expect.arrayContaining(['mood-7', 'sleep-20', 'life-60', 'traits-120', 'panorama-567', 'choices-10']),
  )
  expect([...testIds]).toEqual(expect.arrayContaining(['week-12', 'women-16', 'teen-16']))
  expect([...products].toSorted()).toEqual(['couple', 'family', 'solo'])
  expect(statuses).toEqual(new Set([0, 2]))
  expect(await (await lever('GET', '/sandbox/invitations')).json()).toEqual(seeds)
})

test('a reset empties everything but issues the same invitations', async () => {
  const service = await startService()
  const seeds = service.sandbox.seed()
  const token = await authenticated(service, 'mood-7')
  service.sandbox.fault({ kind: 'cut' })
  expect((await service.lever('POST', '/sandbox/reset')).status).toBe(200)
  expect(service.sandbox.calls).toEqual([])
  expect((await service.get(`/record/${token}`)).status).toBe(404)
  expect(service.sandbox.seed()).toEqual(seeds)
  expect((await service.get(`/record/${seeds[0]?.token}`)).status).toBe(200)
})

test('the codes are listed newest first', async () => {
  const codes = ['11111', '22222']
  const service = await startService({ newCode: () => codes.shift() ?? '' })
  const token = service.sandbox.addRecord({ testId: 'mood-7' })
  await service.call('POST', `/record/${token}/auth/`, person)
  service.pass(5)
  await service.call('POST', `/record/${token}/auth/`, { ...person, mobile: '09350000000' })
  const listed = await (await service.lever('GET', '/sandbox/sms')).json()
  expect(listed).toEqual([
    { mobile: '09350000000', code: '22222', at: Date.parse('2026-03-10T08:00:05Z') },
    { mobile: person.mobile, code: '11111', at: Date.parse('2026-03-10T08:00:00Z') },
  ])
  expect(service.sandbox.sms()).toEqual(listed)
})

test('a page of another origin cannot use the controls', async () => {
  const { lever } = await startService()
  const from = (origin: string) => lever('GET', '/sandbox/sms', undefined, { origin })
  expect((await from('https://example.org')).status).toBe(403)
  expect((await from('null')).status).toBe(403)
  expect((await from('http://127.0.0.1:8080')).status).toBe(200)
})

test('calls are recorded with their bodies, and logged without them', async () => {
  const lines: string[] = []
  const service = await startService({ log: (line) => lines.push(JSON.stringify(line)) })
  const token = service.sandbox.addRecord({ testId: 'mood-7' })
  await service.call('POST', `/record/${token}/auth/`, person)
  expect(service.sandbox.calls.at(-1)).toEqual({
    method: 'POST',
    path: `/record/${token}/auth/`,
    status: 200,
    at: Date.parse('2026-03-10T08:00:00Z'),
    body: person,
  })
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    method: 'POST',
    endpoint: '/v2/record/:token/auth/',
    status: 200,
  })
  for (const secret of [token, key, person.name, person.mobile]) expect(lines[0]).not.toContain(secret)
})

test('the sandbox listens on loopback only, and never in production', async () => {
  const sandbox = createSandbox()
  await expect(sandbox.listen(0, '0.0.0.0')).rejects.toThrow('loopback')
  await sandbox.close()
  vi.stubEnv('NODE_ENV', 'production')
  expect(() => createSandbox()).toThrow('production')
  vi.unstubAllEnvs()
})

test('two sandboxes have different keys unless keys are given', () => {
  expect(createSandbox().key).not.toBe(createSandbox().key)
  expect(createSandbox({ key }).key).toBe(key)
})
