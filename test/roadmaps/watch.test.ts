import { expect, test } from 'vitest'
import { ServiceError, type ServiceErrorCode, UnwantedCall } from '../../src/service/errors.ts'
import type { Roadmap } from '../../src/service/wire.ts'
import { createClock } from '../storage/worlds.ts'
import { createWatch, FINISHED, mostPerMinute, POLL_MS, type WatchedService } from './watch.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const LATENCY_MS = 150

const refusal = (code: ServiceErrorCode, status: number) => new ServiceError(code, { reached: 'yes', status })

/** A service that analyses many roadmaps, each until its time. */
function analysing(clock = createClock()) {
  const { now, wait } = clock
  const completedAt = new Map<string, number>()
  const looks: number[] = []
  const service: WatchedService = {
    async generate() {
      wait(LATENCY_MS)
      return { status: 'processing', estimated_wait_minutes: '5-10' }
    },
    async generationStatus(token) {
      wait(LATENCY_MS)
      looks.push(now())
      return { status: now() < (completedAt.get(token) ?? 0) ? 'processing' : 'completed', errors: [] }
    },
    roadmap: async () => Promise.reject(refusal('not_found', 404)),
    async listRoadmaps({ page = 1 } = {}) {
      wait(LATENCY_MS)
      looks.push(now())
      const left = [...completedAt].flatMap(([token, at]) => (now() < at ? [itemOf(token)] : []))
      const next = left.length > 30 * page ? 'https://elsewhere/' : null
      const results = left.slice(30 * (page - 1), 30 * page)
      return { count: left.length, next, previous: null, results, roadmaps_filter: [] }
    },
  }
  return { service, clock, looks, completedAt }
}

const itemOf = (token: string, status = 4) => ({
  token,
  status,
  roadmap_id: null,
  roadmap_title: null,
  display_title: null,
  group_id: null,
  auth_required: false,
  tests_auth_required: true,
  is_finished: false,
  submit_on: null,
  create: null,
})

/** Begins this many analyses within a minute; each takes five to ten minutes. */
async function beginMany(count: number) {
  const { service, clock, looks, completedAt } = analysing()
  const watch = await createWatch(service, clock)
  for (let index = 0; index < count; index += 1) {
    await watch.begin(`s${index}`)
    completedAt.set(`s${index}`, watch.now() + (5 + ((index * 37) % 60) / 12) * MINUTE_MS)
    watch.wait(MINUTE_MS / count)
  }
  return { watch, service, looks, completedAt }
}

test.each([1, 15, 30, 31, 60, 200])(
  '%d analyses cost at most 20 checks in any minute, and each end is known within two intervals',
  async (count) => {
    const { watch, looks, completedAt } = await beginMany(count)
    await watch.passes(40 * MINUTE_MS)
    expect(mostPerMinute(looks)).toBeLessThanOrEqual(20)
    const completions = watch.events.filter(({ event }) => event.kind === 'generated')
    expect(completions.map(({ s }) => s).toSorted()).toEqual([...completedAt.keys()].toSorted())
    const late = completions.map(({ s, at }) => at - (completedAt.get(s) ?? 0))
    expect(Math.max(...late)).toBeLessThanOrEqual(2 * POLL_MS)
  },
)

test.each([
  ['that the list no longer shows as being analysed', 3, false],
  ['that the list shows as finished', 1, true],
])('an analysis %s is reported within two intervals', async (_, status, is_finished) => {
  const { watch, service, looks, completedAt } = await beginMany(40)
  const failsAt = watch.now() + 6 * MINUTE_MS
  const hasFailed = (token: string) => token === 's7' && watch.now() >= failsAt
  const { listRoadmaps, generationStatus } = service
  completedAt.set('s7', failsAt + HOUR_MS)
  service.listRoadmaps = async (query) => {
    const page = await listRoadmaps(query)
    const results = page.results.map((item) =>
      item && hasFailed(item.token) ? { ...item, status, is_finished } : item,
    )
    return { ...page, results }
  }
  service.generationStatus = async (token) => {
    const said = await generationStatus(token)
    return hasFailed(token) ? { status: 'failed', errors: ['why'] } : said
  }
  await watch.passes(20 * MINUTE_MS)
  expect(mostPerMinute(looks)).toBeLessThanOrEqual(20)
  const told = watch.events.find(({ s, event }) => s === 's7' && event.kind !== 'generating')
  const kind = is_finished ? 'generated' : 'generation-failed'
  expect(told?.event.kind).toBe(kind)
  expect((told?.at ?? 0) - failsAt).toBeLessThanOrEqual(2 * POLL_MS)
})

test.each([
  ['an item', () => null],
  ['the state of an item', (item: object) => ({ ...item, status: null, is_finished: null })],
])('%s of the list that cannot be read is not taken for finished', async (_, unread) => {
  const { watch, service, looks, completedAt } = await beginMany(40)
  const { listRoadmaps } = service
  completedAt.set('s7', watch.now() + HOUR_MS)
  service.listRoadmaps = async (query) => {
    const page = await listRoadmaps(query)
    const results = page.results.map((item) => (item?.token === 's7' ? (unread(item) as null) : item))
    return { ...page, results }
  }
  await watch.passes(20 * MINUTE_MS)
  const told = watch.events.filter(({ event }) => event.kind === 'generated')
  expect(told.map(({ s }) => s)).not.toContain('s7')
  // The others are known as soon as before.
  expect(told).toHaveLength(39)
  const late = told.map(({ s, at }) => at - (completedAt.get(s) ?? 0))
  expect(Math.max(...late)).toBeLessThanOrEqual(2 * POLL_MS)
  expect(mostPerMinute(looks)).toBeLessThanOrEqual(20)
})

test('where the list is refused each analysis is checked alone', async () => {
  const { watch, service, looks } = await beginMany(40)
  service.listRoadmaps = async () => Promise.reject(refusal('forbidden', 403))
  await watch.passes(40 * MINUTE_MS)
  expect(mostPerMinute(looks)).toBeLessThanOrEqual(20)
  expect(watch.events.filter(({ event }) => event.kind === 'generated')).toHaveLength(40)
})

test('after hours of downtime the checks do not come all at once, but the ends are known soon', async () => {
  const { watch, looks } = await beginMany(60)
  await watch.passes(4 * MINUTE_MS)
  const ended = () => watch.events.filter(({ event }) => event.kind === 'generated')
  expect(ended()).toEqual([])
  watch.wait(5 * HOUR_MS)
  watch.restart()
  await watch.passes(MINUTE_MS)
  expect(mostPerMinute(looks)).toBeLessThanOrEqual(20)
  expect(ended()).toHaveLength(60)
})

test('restarts during the analyses change neither rate nor completeness', async () => {
  const { watch, looks } = await beginMany(60)
  for (let minute = 0; minute < 30; minute += 1) {
    await watch.passes(MINUTE_MS)
    watch.restart()
  }
  expect(mostPerMinute(looks)).toBeLessThanOrEqual(20)
  expect(watch.events.filter(({ event }) => event.kind === 'generated')).toHaveLength(60)
})

test('checks that were held up are not sent together', async () => {
  const { service, clock, looks, completedAt } = analysing()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let looked = () => {}
  const { generationStatus } = service
  const watch = await createWatch(
    {
      ...service,
      generationStatus(token) {
        looked()
        return held.then(() => generationStatus(token))
      },
    },
    clock,
  )
  for (const s of ['a', 'b', 'c']) {
    await watch.begin(s)
    completedAt.set(s, watch.now())
    while (await watch.handleOne());
  }
  watch.wait(5 * POLL_MS)
  const handled: Promise<unknown>[] = []
  for (let tries = 0; tries < 19; tries += 1) {
    const isHeld = new Promise<void>((resolve) => {
      looked = resolve
    })
    const one = watch.handleOne()
    handled.push(one)
    await Promise.race([one, isHeld])
    watch.wait(500)
  }
  expect(looks).toEqual([])
  release()
  await Promise.all(handled)
  await watch.passes(MINUTE_MS)
  expect(looks).toHaveLength(3)
  const [one = 0, two = 0, three = 0] = looks
  expect(Math.min(two - one, three - two)).toBeGreaterThanOrEqual(3_000)
})

const roadmap = (changes: Partial<Roadmap> = {}) =>
  ({
    status: 3,
    auth_required: false,
    is_finished: false,
    test_records: [{ status: 1, is_finished: true }],
    ...changes,
  }) as Roadmap

/** The outcome of an analysis whose start is refused with this error, given this roadmap. */
async function refusedStart(error: ServiceError, answer: () => Roadmap | ServiceError) {
  let starts = 0
  const watch = await createWatch({
    async generate() {
      starts += 1
      throw error
    },
    generationStatus: async () => ({ status: 'processing', errors: [] }),
    listRoadmaps: async () => Promise.reject(refusal('unavailable', 503)),
    async roadmap() {
      const said = answer()
      if (said instanceof ServiceError) throw said
      return said
    },
  })
  await watch.begin('s')
  await watch.passes(3 * HOUR_MS)
  return { starts, events: watch.events.map(({ event }) => event) }
}

const unfinished = roadmap({
  test_records: [{ token: FINISHED, status: 2, is_finished: false }] as Roadmap['test_records'],
})

test.each<[string, ServiceError, () => Roadmap | ServiceError, object]>([
  ['402', refusal('billing', 402), () => roadmap(), { kind: 'generation-refused', code: 'billing' }],
  ['401', refusal('key_invalid', 401), () => roadmap(), { kind: 'generation-refused', code: 'key' }],
  ['404', refusal('not_found', 404), () => roadmap(), { kind: 'generation-refused', code: 'gone' }],
  [
    '403 on this call alone',
    refusal('forbidden', 403),
    () => roadmap(),
    { kind: 'generation-refused', code: 'billing' },
  ],
  [
    '403 on everything',
    refusal('forbidden', 403),
    () => refusal('forbidden', 403),
    { kind: 'generation-refused', code: 'key' },
  ],
  [
    '409, and a test is not finished',
    refusal('not_ready_to_generate', 409),
    () => unfinished,
    { kind: 'generation-refused', code: 'unfinished' },
  ],
  [
    '409, and the profiles are gone',
    refusal('not_ready_to_generate', 409),
    () => roadmap({ auth_required: true }),
    { kind: 'generation-refused', code: 'unfinished' },
  ],
  [
    '409, and it is finished',
    refusal('not_ready_to_generate', 409),
    () => roadmap({ status: 1, is_finished: true }),
    { kind: 'generated' },
  ],
  [
    '409, and it is gone',
    refusal('not_ready_to_generate', 409),
    () => refusal('not_found', 404),
    { kind: 'generation-refused', code: 'gone' },
  ],
])('an analysis refused with %s', async (_, error, answer, event) => {
  expect((await refusedStart(error, answer)).events).toEqual([event])
})

test('a test that the service calls unfinished is waited for before that is reported', async () => {
  const { starts } = await refusedStart(refusal('not_ready_to_generate', 409), () => unfinished)
  expect(starts).toBeGreaterThan(5)
  expect(starts).toBeLessThan(20)
})

test('while the service is away the start is retried at growing intervals, and reported once', async () => {
  const { starts, events } = await refusedStart(refusal('unavailable', 503), () => roadmap())
  expect(events).toEqual([{ kind: 'generation-slow' }])
  expect(starts).toBeGreaterThan(100)
  expect(starts).toBeLessThan(200)
})

test('an analysis that waits in the queue is not requested once its account is forgotten', async () => {
  const { service, clock } = analysing()
  const wanted: (boolean | undefined)[] = []
  const watch = await createWatch(
    {
      ...service,
      async generate(_, { isWanted } = {}) {
        wanted.push(await isWanted?.())
        await watch.forget('owner')
        wanted.push(await isWanted?.())
        throw new UnwantedCall()
      },
    },
    clock,
  )
  await watch.begin('s')
  await watch.handleOne()
  expect(wanted).toEqual([true, false])
  expect(watch.events).toEqual([])
})
