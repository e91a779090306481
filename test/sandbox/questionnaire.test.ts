import { expect, test } from 'vitest'
import { answerAll, answersTo, authenticated, person, radioValues, startService } from './service.ts'

test('sections, both flat lists and the HTML form hold all questions', async () => {
  const service = await startService()
  const questions = async (testId: string) =>
    (await service.get(`/record/${await authenticated(service, testId)}/questions/`)).data

  const life = await questions('life-60')
  expect(life.sections).toHaveLength(5)
  expect(life.sections[0]).toMatchObject({ id: 's1', title: 'تن و نیرو' })
  expect(life.sections[0].questions[0]).toEqual({
    id: 'q1',
    text: expect.any(String),
    options: expect.arrayContaining([{ id: 'q1o1', label: 'هرگز' }]),
  })
  expect((await questions('mood-7')).questions).toHaveLength(7)
  expect(await questions('choices-10')).toHaveLength(10)
  const { html } = await questions('week-12')
  expect(html.match(/<fieldset>/g)).toHaveLength(12)
  expect(html.match(/<legend>/g)).toHaveLength(12)
  expect(radioValues(html).every((values) => values.length === 5)).toBe(true)
})

test('questions need a profile if one is required', async () => {
  const { get, sandbox } = await startService()
  const withProfile = sandbox.addRecord({ testId: 'mood-7' })
  const without = sandbox.addRecord({ testId: 'mood-7', authRequired: false })
  expect((await get(`/record/${withProfile}/questions/`)).status).toBe(403)
  expect((await get(`/record/${without}/questions/`)).status).toBe(200)
})

test.each([
  'mood-7',
  'sleep-20',
  'life-60',
  'traits-120',
  'panorama-567',
  'choices-10',
  'week-12',
  'women-16',
])('%s can be answered and gives a result', async (testId) => {
  const service = await startService()
  const token = await authenticated(service, testId)
  expect(await answerAll(service, token)).toMatchObject({ status: 200, data: {}, successful: true })
  expect((await service.get(`/record/${token}`)).data).toMatchObject({ status: 1, is_finished: true })
  expect((await service.get(`/record/${token}/result/json/`)).data.scales.length).toBeGreaterThan(1)
})

test('answers of a wrong shape are refused, and nothing is recorded', async () => {
  const service = await startService()
  const token = await authenticated(service, 'sleep-20') // one section with an id
  const { s1 } = answersTo((await service.get(`/record/${token}/questions/`)).data) as { s1: string[] }
  const submit = (record: unknown, doing_duration_in_minutes: unknown = 3) =>
    service.call('POST', `/record/${token}/`, { record, doing_duration_in_minutes })

  const wrong: [record: unknown, minutes?: unknown][] = [
    [s1], // an array where sections have ids
    [undefined],
    ['o1'],
    [{}],
    [{ s1: s1.slice(1) }], // one too few
    [{ s1: [...s1, 'o1'] }], // one too many
    [{ s1: s1.with(3, 'o9') }], // an option that does not exist
    [{ s1: s1.with(3, 'q4') }],
    [{ s1, s2: [] }], // an unknown section
    [{ s1: s1.map((id) => ({ id })) }],
    [{ s1 }, '3'],
    [{ s1 }, 2.5],
    [{ s1 }, -1],
    [{ s1 }, null],
  ]
  for (const [record, minutes = 3] of wrong)
    expect(await submit(record, minutes)).toMatchObject({ status: 400, data: null, successful: false })
  expect((await service.get(`/record/${token}`)).data).toMatchObject({ status: 2, is_finished: false })
  expect((await submit({ s1 })).status).toBe(200)
  const attempts = service.sandbox.submissions(token)
  expect(attempts).toHaveLength(wrong.length + 1)
  expect(attempts.filter(({ accepted }) => accepted)).toEqual([
    { record: { s1 }, minutes: 3, accepted: true },
  ])
})

test('a flat list takes an array only, with options of each question', async () => {
  const service = await startService()
  const token = await authenticated(service, 'mood-7')
  const list = answersTo((await service.get(`/record/${token}/questions/`)).data) as string[]
  const submit = (record: unknown) =>
    service.call('POST', `/record/${token}/`, { record, doing_duration_in_minutes: 0 })
  expect((await submit({ s1: list })).status).toBe(400)
  expect((await submit(list.toReversed())).status).toBe(400)
  expect((await submit(list)).status).toBe(200)
})

test('submitting needs a profile, valid billing and an open record', async () => {
  const service = await startService()
  const { call, get, sandbox } = service
  const body = { record: [], doing_duration_in_minutes: 1 }
  const unknown = sandbox.addRecord({ testId: 'mood-7' })
  expect((await call('POST', `/record/${unknown}/`, body)).status).toBe(403)
  const unpaid = sandbox.addRecord({ testId: 'mood-7', authRequired: false, billing: 'refused' })
  expect((await answerAll(service, unpaid)).status).toBe(402)
  expect((await get(`/record/${unpaid}`)).data.status).toBe(2)
  sandbox.update(unpaid, { billing: 'ok' })
  expect((await answerAll(service, unpaid)).status).toBe(200)
  expect(await answerAll(service, unpaid)).toMatchObject({ status: 409, successful: false })
  const done = sandbox.addRecord({ testId: 'mood-7', status: 1 })
  expect((await call('POST', `/record/${done}/`, body)).status).toBe(409)
})

test('billing can be refused with 403 as well', async () => {
  const service = await startService({ billingRefusal: 403 })
  const token = service.sandbox.addRecord({ testId: 'mood-7', authRequired: false, billing: 'refused' })
  expect((await answerAll(service, token)).status).toBe(403)
})

test('status 0 waits for the organizer, who opens it', async () => {
  const service = await startService({ testsAuthRequired: false })
  const { call, get, lever, sandbox } = service
  const token = sandbox.addRecord({ testId: 'mood-7', status: 0 })
  expect((await get(`/record/${token}`)).data.status).toBe(0)
  expect((await call('POST', `/record/${token}/auth/`, person)).status).toBe(403)
  const open = sandbox.addRecord({ testId: 'mood-7', status: 0, authRequired: false })
  expect((await get(`/record/${open}/questions/`)).status).toBe(403)
  const body = { record: [], doing_duration_in_minutes: 1 }
  expect((await call('POST', `/record/${open}/`, body)).status).toBe(402)

  expect((await lever('POST', '/sandbox/open', { token })).status).toBe(200)
  expect((await get(`/record/${token}`)).data.status).toBe(2)
  expect((await call('POST', `/record/${token}/auth/`, person)).status).toBe(200)
  expect((await lever('POST', '/sandbox/open', { token: 'nothing' })).status).toBe(404)
})

test('results wait for the submission, and for the scoring if it takes time', async () => {
  const service = await startService({ scoringSeconds: 30 })
  const token = await authenticated(service, 'mood-7')
  const statuses = async () => [
    (await service.get(`/record/${token}/result/json/`)).status,
    (await service.get(`/record/${token}/result/html/`)).status,
  ]
  expect(await statuses()).toEqual([409, 409])
  await answerAll(service, token)
  expect((await service.get(`/record/${token}`)).data).toMatchObject({ status: 1, is_finished: false })
  expect(await statuses()).toEqual([409, 409])
  service.pass(30)
  expect(await statuses()).toEqual([200, 200])
})
