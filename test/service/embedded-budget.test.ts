import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { PlaceInLine } from '../../src/service/budget.ts'
import { readBudgetValue } from '../../src/service/budget.ts'
import { takeTurn } from '../../src/service/budget-rules.ts'
import type { BudgetStore } from '../../src/service/open-budget.ts'
import { openBudget } from '../../src/service/open-budget.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import type { Write } from '../../src/storage/store.ts'
import { describeBudget, describeUsage, fill, hasRoom, hour, minute, second } from './budget-contract.ts'
import { countedStores } from './counted-store.ts'
import { fakeClock } from './fake-clock.ts'
import { createEmbeddedBudget } from './own-budget.ts'

describe('the embedded budget', () => {
  describeBudget(({ clock, ...limits }) => createEmbeddedBudget({ ...limits, ...clock }))
  describeUsage(({ clock, ...limits }) => createEmbeddedBudget({ ...limits, ...clock }))
})

/** A store in a file, and budgets that are opened on it one after the other. */
async function world(
  limits: { perMinute?: number; perHour?: number; onError?: (error: unknown) => void } = {},
) {
  const clock = fakeClock()
  const dir = await mkdtemp(join(tmpdir(), 'porsa-budget-'))
  const kept = await createSqliteStore({ dir, now: clock.now })
  onTestFinished(async () => {
    await kept.close()
    await rm(dir, { recursive: true })
  })
  const { of, settled } = countedStores()
  clock.settled = settled
  const writes: Write[] = []
  const put: BudgetStore['put'] = async (write, version) => {
    writes.push(write)
    return kept.put(write, version)
  }
  const store = of({ readAt: kept.readAt, put })
  const open = (other: typeof limits = {}) =>
    openBudget({
      ...{ store, name: 'key', perMinute: 100, perHour: 3_000 },
      ...clock,
      ...limits,
      ...other,
    })
  return { clock, kept, store, writes, open }
}

describe('a restart', () => {
  test('keeps the calls of the hour', async () => {
    const { clock, open } = await world()
    await fill(open(), 100)
    const granted = open()
      .acquire('participant')
      .then(() => clock.now())
    const from = clock.now()
    await clock.advance(2 * minute)
    expect((await granted) - from).toBe(minute + 1)
  })

  test('counts a call that a crash cut short until it must have ended', async () => {
    const { clock, open } = await world()
    await open().acquire('participant')
    await clock.advance(5 * second)
    // The process is dead, so its calls are over by now.
    const told: PlaceInLine[] = []
    void open({ perMinute: 1, perHour: 9 }).acquire('participant', { onQueued: (place) => told.push(place) })
    await clock.advance(0)
    expect(told).toEqual([{ place: 1, etaMs: minute + 1 }])
  })

  test('drops calls older than an hour', async () => {
    const { clock, kept, open } = await world({ perHour: 3 })
    await fill(open(), 3)
    await clock.advance(hour + 1)
    const later = open()
    expect(await hasRoom(later)).toBe(true)
    await fill(later, 1)
    const { entry } = await kept.readAt('budget:key')
    expect(Object.values(readBudgetValue(entry?.value).ended).flat()).toEqual([clock.now()])
  })

  test('goes on if the kept value is not a list', async () => {
    const { kept, open } = await world({ perMinute: 1 })
    await kept.put({ key: 'budget:key', value: Buffer.from('{"ended":{}}') }, null)
    const budget = open()
    await fill(budget, 1)
    expect(await hasRoom(budget)).toBe(false)
  })

  test('finds every call that was sent, as no call is sent that cannot be kept', async () => {
    const { clock, store, open } = await world({ perMinute: 1 })
    const { put } = store
    store.put = () => Promise.reject(new Error('disk full'))
    const budget = open()
    let isGranted = false
    void budget.acquire('participant').then(() => {
      isGranted = true
    })
    await clock.advance(minute)
    expect(isGranted).toBe(false)
    store.put = put
    await clock.advance(second)
    expect(isGranted).toBe(true)
    expect(await hasRoom(open())).toBe(false)
  })

  test('keeps the hour in one value, which expires when it does not count any more', async () => {
    const { clock, writes, open } = await world({ perHour: 150 })
    const first = open()
    for (let calls = 0; calls < 150; calls += 10) {
      await fill(first, 10)
      await clock.advance(20 * second)
    }
    expect(new Set(writes.map(({ key }) => key))).toEqual(new Set(['budget:key']))
    expect(Math.max(...writes.map(({ value }) => value?.length ?? 0))).toBeLessThan(1_500)
    const lifeMs = (writes.at(-1)?.expiresAt ?? Number.POSITIVE_INFINITY) - clock.now()
    expect(lifeMs).toBeLessThanOrEqual(2 * hour)
    // A second restart knows the calls of the first one, and those before.
    expect(await hasRoom(open())).toBe(false)
    await clock.advance(hour - 4 * minute)
    await fill(open(), 5)
    await fill(open(), 5)
    expect((await open().usage()).minute.used).toBe(10)
  })
})

test('a budget without waiting calls leaves the store alone', async () => {
  const { clock, store, open } = await world({ perMinute: 1 })
  let reads = 0
  const { readAt } = store
  store.readAt = (key) => {
    reads += 1
    return readAt(key)
  }
  const budget = open()
  await fill(budget, 1)
  const waits = budget.acquire('participant')
  await clock.advance(2 * minute)
  await (await waits).release()
  reads = 0
  await clock.advance(hour)
  expect(reads).toBe(0)
})

test('a failing store is reported once, until it has worked again', async () => {
  const told: unknown[] = []
  const { clock, store, open } = await world({ onError: (error) => told.push(error) })
  const { put } = store
  const fail = () => Promise.reject(new Error('disk full'))
  for (const _ of ['one failure', 'another']) {
    store.put = fail
    const slot = open().acquire('participant')
    await clock.advance(minute)
    store.put = put
    await clock.advance(second)
    await (await slot).release()
  }
  expect(told.map((error) => (error as Error).cause)).toEqual([
    new Error('disk full'),
    new Error('disk full'),
  ])
})

test('a dead replica keeps no place in line and no slot, even outside of the three places', () => {
  const limits = { perMinute: 100, perHour: 3_000 }
  const value = readBudgetValue(undefined)
  const lane = 'background'
  const standing = (id: string) => ({ id, lane, rank: 0, account: 'a', since: 0, isOut: false }) as const
  const more = { participant: 0, background: 0 }
  const turn = (replica: string, ids: readonly string[], at: number) =>
    takeTurn(
      limits,
      value,
      { replica, waiting: ids.map(standing), more, calls: [], ended: [], pauses: [] },
      at,
    )
  value.pausedUntil = 2 * minute
  turn('dead', ['dead.1', 'dead.2', 'dead.3', 'dead.4', 'dead.5'], 1)
  turn('alive', ['alive.1'], minute)
  expect(value.waiting.map(({ id, isOut }) => [id, isOut])).toEqual([['alive.1', false]])
  turn('alive', ['alive.1'], 3 * minute)
  expect(Object.keys(value.underWay)).toEqual(['alive.1'])
})
