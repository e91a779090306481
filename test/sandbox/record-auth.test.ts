import { expect, test } from 'vitest'
import { authenticated, person, startService } from './service.ts'

const invalidDraft = 'Verification draft token is invalid or expired.'
const invalidCode = 'Verification code is invalid.'
const notRequired = 'SMS verification is not required for this organizer account.'

test('a fresh record has every field of the specification', async () => {
  const { get, sandbox } = await startService()
  const token = sandbox.addRecord({ testId: 'teen-16' })
  expect((await get(`/record/${token}`)).data).toEqual({
    token,
    status: 2,
    auth_required: true,
    tests_auth_required: true,
    is_finished: false,
    test: {
      id: 'teen-16',
      min_age: 12,
      max_age: 18,
      gender_permission: 'both',
      title: 'من و مدرسه (نمونه، ۱۲ تا ۱۸ سال)',
      questions_count: 16,
      doing_time_minutes: 4,
      categories: [{ id: 'teen', title: 'نوجوان' }],
    },
    profile: null,
  })
})

test('without SMS the profile is made at once', async () => {
  const { call, get, sandbox } = await startService({ testsAuthRequired: false })
  const token = sandbox.addRecord({ testId: 'mood-7' })
  const { status, data } = await call('POST', `/record/${token}/auth/`, { ...person, external_id: 42 })
  expect(status).toBe(200)
  expect(data).toEqual({
    tests_auth_required: false,
    profile: {
      token: expect.stringMatching(/^[0-9a-f-]{36}$/),
      external_id: 42,
      case_number: 'PR-1404/00001',
      mobile: '09123456789',
      name: 'رؤیا مؤمنی',
      age: 29,
      birth: '1996-08-02',
      is_male: false,
    },
  })
  expect((await get(`/record/${token}`)).data).toMatchObject({ auth_required: false, profile: data.profile })
  expect(sandbox.sms()).toEqual([])
})

test('with SMS the profile is made by the code', async () => {
  const { call, get, sandbox } = await startService()
  const token = sandbox.addRecord({ testId: 'mood-7' })
  const begun = await call('POST', `/record/${token}/auth/`, person)
  expect(begun.data).toEqual({ tests_auth_required: true, draft_token: expect.any(String) })
  expect((await get(`/record/${token}`)).data).toMatchObject({ auth_required: true, profile: null })

  const [sms] = sandbox.sms()
  expect(sms).toMatchObject({ mobile: person.mobile, code: expect.stringMatching(/^\d{5}$/) })
  const { draft_token } = begun.data
  const done = await call('PUT', `/record/${token}/auth/verify/`, { draft_token, vcode: sms?.code })
  expect(done.data).toMatchObject({
    tests_auth_required: true,
    profile: { name: person.name, external_id: null },
  })
  expect((await get(`/record/${token}`)).data.auth_required).toBe(false)
  const again = await call('PUT', `/record/${token}/auth/verify/`, { draft_token, vcode: sms?.code })
  expect(again).toMatchObject({ status: 400, messages: [invalidDraft] })
})

test('a draft is valid for exactly five minutes', async () => {
  const { call, pass, sandbox } = await startService()
  const token = sandbox.addRecord({ testId: 'mood-7' })
  const begin = async () => (await call('POST', `/record/${token}/auth/`, person)).data.draft_token
  const verify = (draft_token: string) =>
    call('PUT', `/record/${token}/auth/verify/`, { draft_token, vcode: sandbox.sms()[0]?.code })
  const first = await begin()
  pass(300)
  expect(await verify(first)).toMatchObject({ status: 400, messages: [invalidDraft] })
  const second = await begin()
  pass(299)
  expect((await verify(second)).status).toBe(200)
})

test('a wrong code, a foreign draft and an unknown draft get the exact error messages', async () => {
  const { call, sandbox } = await startService({ newCode: () => '12345' })
  const one = sandbox.addRecord({ testId: 'mood-7' })
  const other = sandbox.addRecord({ testId: 'mood-7' })
  const { draft_token } = (await call('POST', `/record/${one}/auth/`, person)).data
  const verify = (token: string, draft: string, vcode: string) =>
    call('PUT', `/record/${token}/auth/verify/`, { draft_token: draft, vcode })

  expect(await verify(one, draft_token, '54321')).toMatchObject({ status: 400, messages: [invalidCode] })
  expect(await verify(other, draft_token, '12345')).toMatchObject({ status: 400, messages: [invalidDraft] })
  expect(await verify(one, 'no-such-draft', '12345')).toMatchObject({ status: 400, messages: [invalidDraft] })
  expect((await verify(one, draft_token, '12345')).status).toBe(200)
})

test('verify reports that the organizer’s policy needs no SMS', async () => {
  const { call, sandbox } = await startService()
  const token = sandbox.addRecord({ testId: 'mood-7' })
  const { draft_token } = (await call('POST', `/record/${token}/auth/`, person)).data
  sandbox.update(token, { testsAuthRequired: false })
  const vcode = sandbox.sms()[0]?.code
  const verified = await call('PUT', `/record/${token}/auth/verify/`, { draft_token, vcode })
  expect(verified).toMatchObject({ status: 400, data: null, messages: [notRequired] })
  expect((await call('POST', `/record/${token}/auth/`, person)).data.tests_auth_required).toBe(false)
})

test.each([
  ['no name', { name: undefined }, 'name'],
  ['a Latin name', { name: 'Roya' }, 'name'],
  ['an empty name', { name: '' }, 'name'],
  ['a name with Arabic letters', { name: 'علي' }, 'name'],
  ['a name of 51 letters', { name: 'ا'.repeat(51) }, 'name'],
  ['a mobile with a country code', { mobile: '+989123456789' }, 'mobile'],
  ['a mobile in Persian digits', { mobile: '۰۹۱۲۳۴۵۶۷۸۹' }, 'mobile'],
  ['a short mobile', { mobile: '0912345678' }, 'mobile'],
  ['a Persian birth date', { birth: '1375-05-12T00' }, 'birth'],
  ['a day that does not exist', { birth: '1999-02-30' }, 'birth'],
  ['a birth in the future', { birth: '2026-03-11' }, 'birth'],
  ['a gender in words', { is_male: 'true' }, 'is_male'],
  ['an external id in words', { external_id: '42' }, 'external_id'],
  ['an external id with a fraction', { external_id: 1.5 }, 'external_id'],
])('auth with %s is refused field by field', async (_, change, field) => {
  const { call, get, sandbox } = await startService({ testsAuthRequired: false })
  const token = sandbox.addRecord({ testId: 'mood-7' })
  const answer = await call('POST', `/record/${token}/auth/`, { ...person, ...change })
  expect(answer).toMatchObject({ status: 400, data: null, successful: false })
  expect(answer.messages[0]).toMatch(new RegExp(`^${field}: `))
  expect((await get(`/record/${token}`)).data.auth_required).toBe(true)
})

test.each([
  ['ابوالفضل مؤمنی نژاد', false, 200],
  ['ا'.repeat(50), false, 200],
  ['رؤیا', true, 400],
  ['رویا', true, 200],
])('the name %s, strict %s, gets %i', async (name, strictNames, status) => {
  const { call, sandbox } = await startService({ strictNames })
  const token = sandbox.addRecord({ testId: 'mood-7' })
  expect((await call('POST', `/record/${token}/auth/`, { ...person, name })).status).toBe(status)
})

test.each([
  ['teen-16', { birth: '2014-03-10' }, 200],
  ['teen-16', { birth: '2014-03-11' }, 400],
  ['teen-16', { birth: '2007-03-11' }, 200],
  ['teen-16', { birth: '2007-03-10' }, 400],
  ['women-16', { is_male: false }, 200],
  ['women-16', { is_male: true }, 400],
])('%s with %o gets %i', async (testId, change, status) => {
  const { call, sandbox } = await startService({ testsAuthRequired: false })
  const token = sandbox.addRecord({ testId })
  expect((await call('POST', `/record/${token}/auth/`, { ...person, ...change })).status).toBe(status)
})

test('an external id belongs to only one profile of the organizer', async () => {
  const service = await startService({ testsAuthRequired: false })
  await authenticated(service, 'mood-7', { external_id: 7 })
  const token = service.sandbox.addRecord({ testId: 'mood-7' })
  const answer = await service.call('POST', `/record/${token}/auth/`, { ...person, external_id: 7 })
  expect(answer).toMatchObject({ status: 409, messages: [expect.stringContaining('external_id')] })
  expect((await service.call('POST', `/record/${token}/auth/`, { ...person, external_id: 8 })).status).toBe(
    200,
  )
})

test('a draft reserves no external id: the second code is refused', async () => {
  const { call, sandbox } = await startService()
  const drafts: string[] = []
  const tokens = [sandbox.addRecord({ testId: 'mood-7' }), sandbox.addRecord({ testId: 'mood-7' })]
  for (const token of tokens)
    drafts.push(
      (await call('POST', `/record/${token}/auth/`, { ...person, external_id: 7 })).data.draft_token,
    )
  const codes = sandbox.sms().map(({ code }) => code)
  const verify = (index: number) =>
    call('PUT', `/record/${tokens[index]}/auth/verify/`, {
      draft_token: drafts[index],
      vcode: codes[1 - index],
    })
  expect((await verify(0)).status).toBe(200)
  expect((await verify(1)).status).toBe(409)
})

test('one mobile serves a limited number of people if SMS is used', async () => {
  const service = await startService({ authenticationsPerMobile: 2 })
  await authenticated(service, 'mood-7')
  await authenticated(service, 'mood-7')
  await authenticated(service, 'mood-7') // instant: no limit
  const token = service.sandbox.addRecord({ testId: 'mood-7' })
  const refused = await service.call('POST', `/record/${token}/auth/`, person)
  expect(refused).toMatchObject({
    status: 400,
    messages: [expect.stringContaining('Mobile duplicate limit')],
  })
  expect(service.sandbox.sms()).toEqual([])
  const other = await service.call('POST', `/record/${token}/auth/`, { ...person, mobile: '09350000000' })
  expect(other.status).toBe(200)
})

test('a record of a roadmap is authenticated through its roadmap only', async () => {
  const { call, get, sandbox } = await startService()
  const roadmap = sandbox.addRoadmap({ productId: 'solo' })
  const nested = (await get(`/roadmap/${roadmap}`)).data.test_records[0].token
  expect((await get(`/record/${nested}`)).status).toBe(200)
  const auth = await call('POST', `/record/${nested}/auth/`, person)
  expect(auth).toMatchObject({ status: 409, messages: [expect.stringContaining('belongs to a roadmap')] })
  expect((await call('PUT', `/record/${nested}/auth/verify/`, {})).status).toBe(409)
})

test('a profile is linked once', async () => {
  const service = await startService()
  const token = await authenticated(service, 'mood-7')
  expect((await service.call('POST', `/record/${token}/auth/`, person)).status).toBe(409)
})
