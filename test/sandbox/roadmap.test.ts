import { expect, test } from 'vitest'
import { answerAll, answeredRoadmap, family, type Service, startService } from './service.ts'

const statusOf = async ({ get }: Service, token: string) => (await get(`/roadmap/${token}`)).data.status

test('a fresh roadmap has its product, its roles and its records', async () => {
  const { get, sandbox } = await startService()
  const token = sandbox.addRoadmap({ productId: 'family' })
  const { data } = await get(`/roadmap/${token}`)
  expect(data).toMatchObject({
    token,
    display_title: 'نقشهٔ راه خانوادهٔ سه‌نفره (نمونه)',
    group_id: 'group-family',
    status: 2,
    auth_required: true,
    tests_auth_required: true,
    is_finished: false,
    submit_on: null,
    create: '2026-03-10T08:00:00.000Z',
    roadmap: { id: 'family', current_version: 2, groups: [], categories: [], roles: data.roles },
  })
  expect(data.roles).toEqual([
    { id: 21, title: 'مادر', min_age: 25, max_age: null, gender: 2 },
    { id: 22, title: 'پدر', min_age: 25, max_age: null, gender: 1 },
    { id: 23, title: 'فرزند نوجوان', min_age: 12, max_age: 17, gender: 0 },
  ])
  expect(data.test_records).toHaveLength(6)
  expect(data.test_records[0]).toEqual({
    token: expect.any(String),
    test_id: 'parenting-14',
    test_title: 'پدر و مادری کردن (نمونه)',
    status: 2,
    auth_required: true,
    tests_auth_required: true,
    is_finished: false,
    submit_on: null,
    role: 21,
  })
})

test('one instant auth makes and links the profiles of all roles', async () => {
  const { call, get, sandbox } = await startService({ testsAuthRequired: false })
  const token = sandbox.addRoadmap({ productId: 'family' })
  const { status, data } = await call('POST', `/roadmap/${token}/auth/`, family({ 21: { external_id: 5 } }))
  expect(status).toBe(200)
  expect(data.tests_auth_required).toBe(false)
  expect(data.roles).toHaveLength(3)
  expect(data.roles[0]).toMatchObject({
    role_id: 21,
    profile: { name: 'مریم احمدی', mobile: '09123456789', external_id: 5, is_male: false },
  })
  const roadmap = (await get(`/roadmap/${token}`)).data
  expect(roadmap).toMatchObject({ status: 3, auth_required: false })
  for (const record of roadmap.test_records) {
    expect(record.auth_required).toBe(false)
    const { profile } = (await get(`/record/${record.token}`)).data
    const role = data.roles.find(({ role_id }: { role_id: number }) => role_id === record.role)
    expect(profile.token).toBe(role.profile.token)
  }
})

test('with SMS one code verifies all roles', async () => {
  const { call, get, pass, sandbox } = await startService()
  const token = sandbox.addRoadmap({ productId: 'family' })
  const begin = async () => (await call('POST', `/roadmap/${token}/auth/`, family())).data
  const verify = (draft_token: string, vcode?: string) =>
    call('PUT', `/roadmap/${token}/auth/verify/`, { draft_token, vcode })
  const first = await begin()
  expect(first).toEqual({ tests_auth_required: true, draft_token: expect.any(String) })
  expect(await verify(first.draft_token, 'wrong')).toMatchObject({
    status: 400,
    messages: ['Verification code is invalid.'],
  })
  pass(300)
  expect(await verify(first.draft_token, sandbox.sms()[0]?.code)).toMatchObject({
    status: 400,
    messages: ['Verification draft token is invalid or expired.'],
  })
  expect((await get(`/roadmap/${token}`)).data).toMatchObject({ status: 2, auth_required: true })
  const second = await begin()
  const done = await verify(second.draft_token, sandbox.sms()[0]?.code)
  expect(done.data.tests_auth_required).toBe(true)
  expect(done.data.roles.map(({ role_id }: { role_id: number }) => role_id)).toEqual([21, 22, 23])
  expect((await get(`/roadmap/${token}`)).data).toMatchObject({ status: 3, auth_required: false })

  const instant = sandbox.addRoadmap({ productId: 'solo', testsAuthRequired: false })
  const refused = await call('PUT', `/roadmap/${instant}/auth/verify/`, { draft_token: 'x', vcode: 'y' })
  expect(refused).toMatchObject({
    status: 400,
    messages: ['SMS verification is not required for this organizer account.'],
  })
})

test.each([
  ['no roles', { roles: [] }, 'roles'],
  ['no mobile', { mobile: undefined }, 'mobile'],
  ['a bad mobile', { mobile: '9123456789' }, 'mobile'],
  ['a name in Latin', family({ 22: { name: 'Ali' } }), 'roles.1.profile.name'],
  ['a missing field', family({ 22: { birth: undefined } }), 'roles.1.profile.birth'],
  [
    'an unknown role',
    { roles: [...family().roles, { ...family().roles[0], id: 99 }] },
    'Role 99 is not part',
  ],
  ['a role twice', { roles: [...family().roles, family().roles[0]] }, 'Role 21 is given more than once'],
  ['a father who is a woman', family({ 22: { is_male: false } }), 'Role 22 (پدر): only male'],
  ['a mother who is a man', family({ 21: { is_male: true } }), 'Role 21 (مادر): only female'],
  ['a child too young', family({ 23: { birth: '2014-03-11' } }), 'Role 23 (فرزند نوجوان): age'],
  ['a child too old', family({ 23: { birth: '2008-03-10' } }), 'Role 23 (فرزند نوجوان): age'],
])('auth with %s is refused, and no one is enrolled', async (_, change, message) => {
  const { call, get, sandbox } = await startService({ testsAuthRequired: false })
  const token = sandbox.addRoadmap({ productId: 'family' })
  const answer = await call('POST', `/roadmap/${token}/auth/`, { ...family(), ...change })
  expect(answer).toMatchObject({ status: 400, data: null, successful: false })
  expect(answer.messages.join('\n')).toContain(message)
  expect((await get(`/roadmap/${token}`)).data).toMatchObject({ status: 2, auth_required: true })
})

test('an external id can be used once, also within one roadmap', async () => {
  const { call, sandbox } = await startService({ testsAuthRequired: false })
  const auth = (changes: Record<number, object>) =>
    call('POST', `/roadmap/${sandbox.addRoadmap({ productId: 'family' })}/auth/`, family(changes))
  expect((await auth({ 21: { external_id: 1 }, 22: { external_id: 1 } })).status).toBe(409)
  expect((await auth({ 21: { external_id: 1 }, 22: { external_id: 2 } })).status).toBe(200)
  expect(await auth({ 23: { external_id: 2 } })).toMatchObject({
    status: 409,
    messages: [expect.stringContaining('external_id')],
  })
})

test('the mobile duplicate limit counts a roadmap once', async () => {
  const service = await startService({ authenticationsPerMobile: 2 })
  await answeredRoadmap(service)
  const auth = () => {
    const token = service.sandbox.addRoadmap({ productId: 'family' })
    return service.call('POST', `/roadmap/${token}/auth/`, family())
  }
  expect((await auth()).status).toBe(200)
  await answeredRoadmap(service)
  expect(await auth()).toMatchObject({
    status: 400,
    messages: [expect.stringContaining('Mobile duplicate limit')],
  })
})

test('a roadmap is authenticated once, and a finished one is not found', async () => {
  const service = await startService({ generationSeconds: 0 })
  const token = await answeredRoadmap(service)
  expect((await service.call('POST', `/roadmap/${token}/auth/`, family())).status).toBe(409)
  await service.call('POST', `/roadmap/${token}/generate/`)
  expect((await service.call('POST', `/roadmap/${token}/auth/`, family())).status).toBe(404)
})

test('a roadmap without profiles is in progress from its first test', async () => {
  const service = await startService()
  const token = service.sandbox.addRoadmap({ productId: 'solo', authRequired: false })
  expect(await statusOf(service, token)).toBe(2)
  const { data } = await service.get(`/roadmap/${token}`)
  await answerAll(service, data.test_records[2].token)
  const after = (await service.get(`/roadmap/${token}`)).data
  expect(after).toMatchObject({ status: 3, submit_on: null })
  expect(after.test_records.map(({ status }: { status: number }) => status)).toEqual([2, 2, 1])
  expect(after.test_records[2]).toMatchObject({ is_finished: true, submit_on: '2026-03-10T08:00:00.000Z' })
})

test('generate is refused without its prerequisites', async () => {
  const service = await startService({ testsAuthRequired: false })
  const { call, sandbox } = service
  const generate = (token: string) => call('POST', `/roadmap/${token}/generate/`)
  const unknown = sandbox.addRoadmap({ productId: 'family' })
  expect(await generate(unknown)).toMatchObject({
    status: 409,
    messages: [expect.stringContaining('profiles')],
  })
  await call('POST', `/roadmap/${unknown}/auth/`, family())
  expect(await generate(unknown)).toMatchObject({
    status: 409,
    messages: [expect.stringContaining('records')],
  })
  const done = await answeredRoadmap(service)
  sandbox.update(done, { billing: 'refused' })
  expect(await generate(done)).toMatchObject({ status: 403, data: null, successful: false })
  sandbox.update(done, { billing: 'ok' })
  expect((await generate(done)).status).toBe(200)
})

test('an analysis takes its time, and only one is made', async () => {
  const service = await startService({ generationSeconds: 300 })
  const { call, get, pass } = service
  const token = await answeredRoadmap(service)
  const generate = () => call('POST', `/roadmap/${token}/generate/`)
  const progress = async () => (await get(`/roadmap/${token}/generate/status/`)).data
  expect((await get(`/roadmap/${token}/generate/status/`)).status).toBe(404)
  expect(await statusOf(service, token)).toBe(3)

  expect((await generate()).data).toEqual({ status: 'processing', estimated_wait_minutes: '5-10' })
  expect(await statusOf(service, token)).toBe(4)
  pass(299)
  expect((await generate()).data.status).toBe('processing') // no second job: the first one continues
  expect(await progress()).toEqual({ status: 'processing' })
  expect((await get(`/roadmap/${token}/result/html/`)).status).toBe(409)
  expect((await get(`/roadmap/${token}/result/json/`)).status).toBe(409)
  pass(1)
  expect(await progress()).toEqual({ status: 'completed' })
  expect((await get(`/roadmap/${token}`)).data).toMatchObject({ status: 1, is_finished: true })
  expect((await generate()).data.status).toBe('processing')
  expect(await progress()).toEqual({ status: 'completed' })
})

test('changes by the organizer do not disturb a running analysis', async () => {
  const service = await startService({ generationSeconds: 300 })
  const { call, get, pass, sandbox } = service
  const token = await answeredRoadmap(service)
  const generate = () => call('POST', `/roadmap/${token}/generate/`)
  await generate()
  sandbox.update(token, { billing: 'refused', status: 0 })
  expect(await generate()).toMatchObject({ status: 200, data: { status: 'processing' } })
  expect(await statusOf(service, token)).toBe(4)
  pass(300)
  expect((await get(`/roadmap/${token}`)).data).toMatchObject({ status: 1, is_finished: true })
  expect((await get(`/roadmap/${token}/result/json/`)).status).toBe(200)
})

test('a failed analysis reports its reason and can be repeated', async () => {
  const service = await startService()
  const { call, get, pass, sandbox } = service
  const token = await answeredRoadmap(service)
  sandbox.fault({ kind: 'generation-failure', errors: ['model overloaded'] })
  await call('POST', `/roadmap/${token}/generate/`)
  pass(20)
  const failed = await get(`/roadmap/${token}/generate/status/`)
  expect(failed).toMatchObject({ status: 200, successful: true, messages: [] })
  expect(failed.data).toEqual({ status: 'failed', errors: ['model overloaded'] })
  expect((await get(`/roadmap/${token}`)).data).toMatchObject({ status: 3, is_finished: false })
  expect((await call('POST', `/roadmap/${token}/generate/`)).data.status).toBe('processing')
  pass(20)
  expect((await get(`/roadmap/${token}/generate/status/`)).data).toEqual({ status: 'completed' })
})

test('the combined report covers every person, and depends on the answers', async () => {
  const service = await startService({ generationSeconds: 0 })
  const results = []
  for (const pick of [0, 1]) {
    const token = await answeredRoadmap(service, pick)
    await service.call('POST', `/roadmap/${token}/generate/`)
    const { html } = (await service.get(`/roadmap/${token}/result/html/`)).data
    results.push({ html, json: (await service.get(`/roadmap/${token}/result/json/`)).data })
  }
  const [first, second] = results
  expect(first?.json.roles.map(({ role_id }: { role_id: number }) => role_id)).toEqual([21, 22, 23])
  expect(first?.json.roles[2]).toMatchObject({ role_title: 'فرزند نوجوان', profile: { name: 'سارا احمدی' } })
  expect(first?.json.roles[2].tests).toHaveLength(2)
  expect(first?.json.sections.length).toBe(4)
  expect(first?.json.summary).not.toBe('')
  expect(first?.json.sections).not.toEqual(second?.json.sections)
  for (const text of [
    'dir="rtl"',
    'مریم احمدی',
    'علی احمدی',
    'سارا احمدی',
    'من و مدرسه',
    first?.json.summary,
  ])
    expect(first?.html).toContain(text)
  expect(first?.html).not.toMatch(/https?:|<script|src=|@import|url\(/)
})

test('status 0 waits for the organizer, nested records too', async () => {
  const service = await startService({ testsAuthRequired: false })
  const { call, get, sandbox } = service
  const token = sandbox.addRoadmap({ productId: 'family', status: 0 })
  const { data } = await get(`/roadmap/${token}`)
  expect([data.status, data.test_records[0].status]).toEqual([0, 0])
  expect((await call('POST', `/roadmap/${token}/auth/`, family())).status).toBe(403)
  expect((await call('POST', `/roadmap/${token}/generate/`)).status).toBe(403)
  expect(sandbox.update(token, { status: 2 })).toBe(true)
  const opened = (await get(`/roadmap/${token}`)).data
  expect([opened.status, opened.test_records[5].status]).toEqual([2, 2])
  expect((await call('POST', `/roadmap/${token}/auth/`, family())).status).toBe(200)
})

test('some roles can be registered while the rest wait; a UUID in capitals is the same one', async () => {
  const { call, get, sandbox } = await startService()
  const token = sandbox.addRoadmap({ productId: 'family', testsAuthRequired: false })
  const { mobile, roles } = family()
  const auth = (some: typeof roles) =>
    call('POST', `/roadmap/${token.toUpperCase()}/auth/`, { mobile, roles: some })
  expect((await auth(roles.slice(1))).status).toBe(200)
  expect((await get(`/roadmap/${token}`)).data).toMatchObject({ auth_required: true })
  expect((await auth(roles.slice(0, 1))).status).toBe(200)
  const { data } = await get(`/roadmap/${token.toUpperCase()}`)
  expect(data).toMatchObject({ token, auth_required: false })
  expect(data.test_records.every((record: { auth_required: boolean }) => !record.auth_required)).toBe(true)
})
