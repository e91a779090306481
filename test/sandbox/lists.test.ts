import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { answerAll, answeredRoadmap, authenticated, family, startService } from './service.ts'

async function withRecords() {
  const service = await startService()
  const roya = await authenticated(service, 'mood-7', { external_id: 101 })
  const reza = await authenticated(service, 'sleep-20', {
    name: 'رضا کاظمی',
    mobile: '09351112233',
    is_male: true,
    external_id: 102,
  })
  const nobody = service.sandbox.addRecord({ testId: 'mood-7' })
  await answerAll(service, reza)
  const found = async (query: string) => {
    const { data } = await service.get(`/record/?${query}`)
    return data.results.map(({ token }: { token: string }) => token)
  }
  return { service, roya, reza, nobody, found }
}

test('the list shows standalone records, newest first, and repeats the query', async () => {
  const { service, roya, reza, nobody } = await withRecords()
  service.sandbox.addRoadmap({ productId: 'solo' })
  const { data } = await service.get('/record/')
  expect(data).toMatchObject({ count: 3, next: null, previous: null })
  expect(data.results.map(({ token }: { token: string }) => token)).toEqual([nobody, reza, roya])
  expect(data.results[1]).toEqual({
    token: reza,
    status: 1,
    auth_required: false,
    tests_auth_required: false,
    is_finished: true,
    test: { id: 'sleep-20', title: 'خواب و آرامش (نمونه)' },
    profile: expect.objectContaining({ name: 'رضا کاظمی' }),
  })
  expect(data.records_filter).toEqual({
    is_finished: null,
    test__id: null,
    profile__is_male: null,
    profile__token: null,
    profile__external_id: null,
  })
})

test('every filter of the record list narrows it', async () => {
  const { service, roya, reza, nobody, found } = await withRecords()
  const { profile } = (await service.get(`/record/${roya}`)).data
  expect(await found('filter__is_finished=true')).toEqual([reza])
  expect(await found('filter__is_finished=false')).toEqual([nobody, roya])
  expect(await found('filter__test__id=mood-7')).toEqual([nobody, roya])
  expect(await found('filter__profile__is_male=true')).toEqual([reza])
  expect(await found('filter__profile__is_male=false')).toEqual([roya])
  expect(await found(`filter__profile__token=${profile.token}`)).toEqual([roya])
  expect(await found(`filter__profile__token=${randomUUID()}`)).toEqual([])
  // Shaped like a UUID, but not of a version that RFC 4122 defines.
  expect(await found('filter__profile__token=01234567-89ab-cdef-0123-456789abcdef')).toEqual([])
  expect(await found('filter__profile__external_id=102')).toEqual([reza])
  expect(await found('filter__test__id=mood-7&filter__profile__is_male=false')).toEqual([roya])
  const { data } = await service.get('/record/?filter__is_finished=true&filter__test__id=sleep-20')
  expect(data.records_filter).toMatchObject({ is_finished: true, test__id: 'sleep-20' })
})

test('q searches titles, names, mobiles, case numbers and external ids', async () => {
  const { service, roya, reza, nobody, found } = await withRecords()
  const { profile } = (await service.get(`/record/${roya}`)).data
  const q = (text: string) => found(`q=${encodeURIComponent(text)}`)
  expect(await q('کاظمی')).toEqual([reza])
  expect(await q('حال این')).toEqual([nobody, roya])
  expect(await q('0935111')).toEqual([reza])
  expect(await q(profile.case_number)).toEqual([roya])
  expect(await q('101')).toEqual([roya])
  expect(await q('هیچ‌کس')).toEqual([])
  expect(await q('')).toHaveLength(3)
})

test('pages hold thirty and are linked by addresses that keep the query', async () => {
  const service = await startService()
  for (let record = 0; record < 61; record += 1) service.sandbox.addRecord({ testId: 'mood-7' })
  service.sandbox.addRecord({ testId: 'sleep-20' })
  const first = (await service.get('/record/?filter__test__id=mood-7')).data
  expect(first).toMatchObject({ count: 61, previous: null })
  expect(first.results).toHaveLength(30)
  expect(first.next).toBe(`${service.base}/record/?filter__test__id=mood-7&page=2`)
  const second = (await service.get(first.next.slice(service.base.length))).data
  const third = (await service.get(second.next.slice(service.base.length))).data
  expect(third).toMatchObject({ next: null, previous: second.next.replace('page=3', 'page=2') })
  const tokens = [first, second, third].flatMap(({ results }) =>
    results.map(({ token }: { token: string }) => token),
  )
  expect(new Set(tokens).size).toBe(61)
  expect((await service.get('/record/?page=9')).data).toMatchObject({ results: [], next: null })
})

test.each([
  'page=0',
  'page=-1',
  'page=two',
  'filter__is_finished=maybe',
  'filter__unknown=1',
  'filter__profile__external_id=abc',
  'filter__test_records__profile__external_id=1.5',
  'filter__profile__token=abc',
  'filter__test_records__profile__token=abc',
  'filter__is_finished=true&filter__is_finished=false',
])('the query %s is refused by both lists', async (query) => {
  const { get } = await startService()
  expect(await get(`/record/?${query}`)).toMatchObject({ status: 400, data: null, successful: false })
  expect(await get(`/roadmap/?${query}`)).toMatchObject({ status: 400, data: null, successful: false })
})

test('every filter of the roadmap list narrows it', async () => {
  const service = await startService({ generationSeconds: 0 })
  const { sandbox, call, get } = service
  const finished = await answeredRoadmap(service)
  await call('POST', `/roadmap/${finished}/generate/`)
  const started = sandbox.addRoadmap({ productId: 'couple', testsAuthRequired: false })
  const woman = { name: 'نگار صالحی', birth: '1990-01-01', is_male: false, external_id: 77 }
  const man = { name: 'کاوه صالحی', birth: '1990-01-01', is_male: true }
  const roles = [
    { id: 11, profile: woman },
    { id: 12, profile: man },
  ]
  const { data } = await call('POST', `/roadmap/${started}/auth/`, { mobile: '09990000000', roles })
  const fresh = sandbox.addRoadmap({ productId: 'solo', displayTitle: 'نوبت بهار' })
  const found = async (query: string) => {
    const answer = await get(`/roadmap/?${query}`)
    return answer.data.results.map(({ token }: { token: string }) => token)
  }

  expect(await found('')).toEqual([fresh, started, finished])
  expect(await found('filter__is_finished=true')).toEqual([finished])
  expect(await found('filter__roadmap__id=couple')).toEqual([started])
  expect(await found('filter__test_records__profile__is_male=true')).toEqual([started, finished])
  expect(await found(`filter__test_records__profile__token=${data.roles[0].profile.token}`)).toEqual([
    started,
  ])
  expect(await found('filter__test_records__profile__external_id=77')).toEqual([started])
  expect(
    await found('filter__test_records__profile__external_id=77&filter__test_records__profile__is_male=true'),
  ).toEqual(
    [], // both must hold for one person
  )
  for (const [q, token] of [
    ['صالحی', started],
    ['0999000', started],
    ['77', started],
    ['نوبت بهار', fresh],
    [family().roles[0]?.profile.name ?? '', finished],
  ] as const)
    expect(await found(`q=${encodeURIComponent(q)}`)).toEqual([token])
})

test('a roadmap in the list has the fields of the specification, beside the list of products', async () => {
  const { get, sandbox } = await startService()
  const token = sandbox.addRoadmap({ productId: 'couple' })
  const { data } = await get('/roadmap/')
  expect(data.results).toEqual([
    {
      token,
      roadmap_id: 'couple',
      roadmap_title: 'نقشهٔ راه زوج (نمونه)',
      display_title: 'نقشهٔ راه زوج (نمونه)',
      group_id: 'group-couple',
      status: 2,
      auth_required: true,
      tests_auth_required: true,
      is_finished: false,
      submit_on: null,
      create: '2026-03-10T08:00:00.000Z',
    },
  ])
  expect(data.roadmaps_filter.map(({ id }: { id: string }) => id)).toEqual(['couple', 'family', 'solo'])
  expect(data).toMatchObject({ count: 1, next: null, previous: null })
})
