import { describe, expect, test } from 'vitest'
import type { Place } from '../../src/service/budget.ts'
import { createEmbeddedBudget } from '../../src/service/embedded-budget.ts'
import { keepBudget } from '../../src/service/keep-budget.ts'
import type { Write } from '../../src/store/store.ts'
import { describeBudget, describeUsage, fill, hasRoom, hour, minute, second } from './budget-contract.ts'
import { fakeClock } from './fake-clock.ts'

describe('the embedded budget', () => {
  describeBudget(({ clock, ...limits }) => createEmbeddedBudget({ ...limits, ...clock }))
  describeUsage(({ clock, ...limits }) => createEmbeddedBudget({ ...limits, ...clock }))
})

function world(
  limits: { perMinute?: number; perHour?: number; load?: () => number[] | Promise<number[]> } = {},
) {
  const clock = fakeClock()
  const saved: number[] = []
  const save = (until: number) => saved.push(until)
  const budget = createEmbeddedBudget({ perMinute: 100, perHour: 3_000, ...clock, save, ...limits })
  return { clock, budget, saved }
}

describe('a restart', () => {
  test('does not forget the hour', async () => {
    const first = world()
    await fill(first.budget, 100)
    const { clock } = first
    const budget = createEmbeddedBudget({
      perMinute: 100,
      perHour: 3_000,
      ...clock,
      load: async () => first.saved,
    })
    const granted = budget.acquire('participant').then(() => clock.now())
    const from = clock.now()
    await clock.advance(2 * minute)
    expect((await granted) - from).toBe(minute + 1)
  })

  test('counts what a crash cut short until it must have ended', async () => {
    const { budget, saved, clock } = world()
    await budget.acquire('participant')
    expect(saved).toEqual([clock.now() + 20 * second])
    await clock.advance(5 * second)
    // The process is dead, so its calls are over by now.
    const restarted = createEmbeddedBudget({
      perMinute: 1,
      perHour: 9,
      ...clock,
      load: () => saved,
    })
    const told: Place[] = []
    void restarted.acquire('participant', { onQueued: (place) => told.push(place) })
    await clock.advance(0)
    expect(told).toEqual([{ place: 1, etaMs: minute + 1 }])
  })

  test('drops what is older than an hour', async () => {
    const { budget } = world({ perHour: 3, load: () => [0, 1, 2] })
    expect(await hasRoom(budget)).toBe(true)
  })

  test.each<[string, () => Promise<number[]>]>([
    ['cannot be read', () => Promise.reject(new Error('the store is away'))],
    [
      'cannot even be asked for',
      () => {
        throw new Error('the store is closed')
      },
    ],
    ['is no list', async () => ({ grants: [] }) as never],
  ])('goes on without a past that %s', async (_, load) => {
    const { budget } = world({ perMinute: 1, load })
    await fill(budget, 1)
    expect(await hasRoom(budget)).toBe(false)
  })

  test('saves before the call goes out, and gives no slot it could not remember', async () => {
    const clock = fakeClock()
    let isFull = true
    const save = () => {
      if (isFull) throw new Error('disk full')
    }
    const budget = createEmbeddedBudget({ perMinute: 1, perHour: 1, ...clock, save })
    await expect(budget.acquire('participant')).rejects.toThrow('disk full')
    isFull = false
    expect(await hasRoom(budget)).toBe(true)
  })

  test('keeps the hour at the price of a minute, and no longer than it counts', async () => {
    const clock = fakeClock()
    const kept = new Map<string, { write: Write; version: string }>()
    const sizes: number[] = []
    const store = {
      read: async (keys: readonly string[]) =>
        keys.map((key) => {
          const one = kept.get(key)
          return one && { value: one.write.value as Buffer, version: one.version }
        }),
      async put(write: Write, version: string | null) {
        if ((kept.get(write.key)?.version ?? null) !== version) return false
        kept.set(write.key, { write, version: `${kept.size}-${sizes.length}` })
        sizes.push(write.value?.length ?? 0)
        return true
      },
    }
    const open = () =>
      createEmbeddedBudget({
        perMinute: 100,
        perHour: 150,
        ...clock,
        ...keepBudget(store, { name: 'key', now: clock.now }),
      })
    const first = open()
    for (let calls = 0; calls < 150; calls += 10) {
      await fill(first, 10)
      await clock.advance(20 * second)
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(60)
    for (const { write } of kept.values()) {
      const lifeMs = (write.expiresAt ?? Number.POSITIVE_INFINITY) - clock.now()
      expect(lifeMs).toBeLessThanOrEqual(hour + 3 * minute)
    }
    // A second restart knows what the first one made and found.
    expect(await hasRoom(open())).toBe(false)
    await clock.advance(hour - 4 * minute)
    const later = open()
    await fill(later, 5)
    const last = open()
    await fill(last, 5)
    const found = await keepBudget(store, { name: 'key', now: clock.now }).load()
    expect(found.filter((at) => at > clock.now())).toHaveLength(10)
    expect(await keepBudget(store, { name: 'other', now: clock.now }).load()).toEqual([])
  })
})
