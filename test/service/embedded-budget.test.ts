import { describe, expect, test } from 'vitest'
import type { Budget, Place, Slot } from '../../src/service/budget.ts'
import { createEmbeddedBudget } from '../../src/service/embedded-budget.ts'
import type { Lane } from '../../src/service/endpoints.ts'
import { fakeClock } from './fake-clock.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

function world(
  limits: { perMinute?: number; perHour?: number; load?: () => number[] | Promise<number[]> } = {},
) {
  const clock = fakeClock()
  const saved: number[][] = []
  const budget = createEmbeddedBudget({
    perMinute: 100,
    perHour: 3_000,
    ...clock,
    save: (grants) => saved.push(grants),
    ...limits,
  })
  const granted: { lane: Lane; at: number }[] = []
  /** A call that the service sees somewhere between grant and end. */
  const arrivals: number[] = []
  const run = (lane: Lane, lengthMs = 0) =>
    budget.acquire(lane).then((slot) => {
      granted.push({ lane, at: clock.now() })
      clock.setTimer(() => arrivals.push(clock.now()), Math.random() * lengthMs)
      clock.setTimer(() => void slot.release(), lengthMs)
    })
  return { clock, budget, saved, granted, arrivals, run }
}

/** The largest number of arrivals in any window of this length, both ends included. */
function busiest(arrivals: number[], windowMs: number): number {
  const times = [...arrivals].sort((a, b) => a - b)
  let most = 0
  for (let from = 0, to = 0; to < times.length; to += 1) {
    while ((times[to] ?? 0) - (times[from] ?? 0) > windowMs) from += 1
    most = Math.max(most, to - from + 1)
  }
  return most
}

async function fill(budget: { acquire(lane: Lane): Promise<Slot> }, count: number) {
  for (let i = 0; i < count; i += 1) await (await budget.acquire('participant')).release()
}

/** Whether a call would have its slot at once; it is not made. */
function hasRoom(budget: Budget, lane: Lane = 'participant'): Promise<boolean> {
  const leaving = new AbortController()
  const asked = budget.acquire(lane, { signal: leaving.signal, onQueued: () => leaving.abort() })
  return asked.then(
    (slot) => slot.cancel().then(() => true),
    () => false,
  )
}

describe('the limits', () => {
  test('hold in every window, whatever the calls take, and are used to the last call', async () => {
    const { clock, run, arrivals, granted } = world()
    for (let i = 0; i < 7_000; i += 1) void run('participant', Math.random() * 20 * second)
    await clock.advance(2 * hour + minute)
    expect(busiest(arrivals, minute)).toBeLessThanOrEqual(100)
    expect(busiest(arrivals, hour)).toBeLessThanOrEqual(3_000)
    expect(granted.length).toBeGreaterThan(5_900)
  })

  test('use the whole minute when calls are short', async () => {
    const { clock, run, arrivals } = world()
    for (let i = 0; i < 1_000; i += 1) void run('participant', 10)
    await clock.advance(5 * minute)
    expect(arrivals.length).toBe(500)
    expect(busiest(arrivals, minute)).toBe(100)
  })

  test.each([
    [1, 1],
    [1, 60],
    [7, 20],
    [500, 100],
  ])('may be any: %i a minute, %i an hour', async (perMinute, perHour) => {
    const { clock, run, arrivals } = world({ perMinute, perHour })
    for (let i = 0; i < 200; i += 1) void run(i % 3 ? 'background' : 'participant', second)
    await clock.advance(2 * hour + 5 * minute)
    expect(busiest(arrivals, minute)).toBeLessThanOrEqual(perMinute)
    expect(busiest(arrivals, hour)).toBeLessThanOrEqual(perHour)
    expect(arrivals.length).toBeGreaterThanOrEqual(Math.min(200, 2 * perHour))
  })

  test('count a call from its end, and for as long as it lasts', async () => {
    const { clock, budget } = world({ perMinute: 1 })
    const slot = await budget.acquire('participant')
    const next = budget.acquire('participant').then(() => clock.now())
    await clock.advance(10 * minute)
    const endedAt = clock.now()
    await slot.release()
    await clock.advance(2 * minute)
    expect((await next) - endedAt).toBe(minute + 1)
  })

  test('count a call through the whole of the sixtieth second', async () => {
    const { clock, budget } = world({ perMinute: 1 })
    await fill(budget, 1)
    await clock.advance(minute)
    expect(await hasRoom(budget)).toBe(false)
    await clock.advance(1)
    expect(await hasRoom(budget)).toBe(true)
  })

  test('do not count a call that was never made', async () => {
    const { budget } = world({ perMinute: 1 })
    await (await budget.acquire('participant')).cancel()
    expect(await hasRoom(budget)).toBe(true)
    await fill(budget, 1)
    expect(await hasRoom(budget)).toBe(false)
  })

  test('count a slot once, however often it is given back', async () => {
    const { budget } = world({ perMinute: 2 })
    const slot = await budget.acquire('participant')
    await slot.release()
    await slot.release()
    await slot.cancel()
    expect(await hasRoom(budget)).toBe(true)
    await fill(budget, 1)
    expect(await hasRoom(budget)).toBe(false)
  })
})

describe('the lanes', () => {
  test('background leaves half of the minute to those who wait', async () => {
    const { clock, run, granted } = world()
    for (let i = 0; i < 300; i += 1) void run('background')
    await clock.advance(10 * second)
    expect(granted).toHaveLength(49)
    for (let i = 0; i < 51; i += 1) void run('participant')
    await clock.advance(1)
    expect(granted.filter(({ lane }) => lane === 'participant')).toHaveLength(51)
  })

  test('background leaves the last of the hour to those who wait', async () => {
    const { clock, budget } = world({ perMinute: 10_000, perHour: 3_000 })
    await fill(budget, 2_940)
    expect(await hasRoom(budget, 'background')).toBe(false)
    await clock.advance(1)
    await fill(budget, 60)
    expect(await hasRoom(budget)).toBe(false)
  })

  test('participants go first, each lane in its order', async () => {
    const { clock, budget } = world({ perMinute: 2 })
    await fill(budget, 2)
    const order: string[] = []
    for (const [lane, name] of [
      ['background', 'b1'],
      ['participant', 'p1'],
      ['background', 'b2'],
      ['participant', 'p2'],
    ] as const) {
      void budget.acquire(lane).then((slot) => {
        order.push(name)
        return slot.release()
      })
    }
    await clock.advance(10 * minute)
    expect(order.slice(0, 2)).toEqual(['p1', 'p2'])
    expect(order.indexOf('b1')).toBeLessThan(order.indexOf('b2'))
  })

  test('background gets five a minute when participants never cease, and no more', async () => {
    const { clock, run, granted } = world({ perHour: 100_000 })
    for (let i = 0; i < 2_000; i += 1) void run('participant')
    for (let i = 0; i < 200; i += 1) void run('background')
    await clock.advance(10 * minute)
    const background = granted.filter(({ lane }) => lane === 'background').map(({ at }) => at)
    expect(busiest(background, minute - 1)).toBeLessThanOrEqual(5)
    expect(background.length).toBeGreaterThanOrEqual(40)
  })

  test('a participant waits next to nothing while hundreds of background calls are queued', async () => {
    const { clock, run, budget } = world()
    for (let i = 0; i < 500; i += 1) void run('background', 200)
    await clock.advance(5 * minute)
    const waits: number[] = []
    for (let i = 0; i < 120; i += 1) {
      const askedAt = clock.now()
      void budget.acquire('participant').then((slot) => {
        waits.push(clock.now() - askedAt)
        clock.setTimer(() => void slot.release(), 200)
      })
      await clock.advance(2 * second) // 30 a minute
    }
    expect(waits).toHaveLength(120)
    expect(Math.max(...waits)).toBe(0)
  })
})

describe('waiting', () => {
  test('is told once, with the place and about how long', async () => {
    const { clock, budget } = world({ perMinute: 2 })
    await fill(budget, 2)
    const told: unknown[] = []
    for (const _ of [1, 2, 3]) void budget.acquire('participant', { onQueued: (place) => told.push(place) })
    await clock.advance(0)
    expect(told).toEqual([
      { place: 1, etaMs: minute + 1 },
      { place: 2, etaMs: minute + 1 },
      { place: 3, etaMs: 2 * (minute + 1) },
    ])
  })

  test('is longer for background calls, by all participants who wait', async () => {
    const { clock, budget } = world({ perMinute: 2 })
    await fill(budget, 2)
    const places: number[] = []
    for (const lane of ['background', 'participant', 'participant', 'background'] as const) {
      void budget.acquire(lane, { onQueued: ({ place }) => places.push(place) })
    }
    await clock.advance(0)
    expect(places).toEqual([1, 1, 2, 4])
  })

  test('is reckoned from what has to expire first', async () => {
    const { clock, budget } = world({ perMinute: 3 })
    const from = clock.now()
    await clock.advance(10 * second)
    await fill(budget, 1)
    await clock.advance(10 * second)
    await fill(budget, 1)
    await budget.acquire('participant')
    await clock.advance(20 * second)
    const opens: number[] = []
    const onQueued = ({ etaMs }: Place) => opens.push((clock.now() + etaMs - from) / second)
    for (const _ of [1, 2, 3, 4]) void budget.acquire('participant', { onQueued })
    await clock.advance(0)
    expect(opens).toEqual([70.001, 80.001, 100.001, 130.002])
  })

  test('does not happen when there is room', async () => {
    const { budget } = world()
    const told: unknown[] = []
    await budget.acquire('participant', { onQueued: (place) => told.push(place) })
    expect(told).toEqual([])
  })

  test('ends when it is aborted, and the next in line moves up', async () => {
    const { clock, budget } = world({ perMinute: 1 })
    await fill(budget, 1)
    const controller = new AbortController()
    const waiting = budget.acquire('participant', { signal: controller.signal })
    const from = clock.now()
    const next = budget.acquire('participant').then(() => clock.now() - from)
    await clock.advance(0)
    controller.abort(new Error('left'))
    await expect(waiting).rejects.toThrow('left')
    await clock.advance(2 * minute)
    expect(await next).toBe(minute + 1)
    const late = budget.acquire('participant', { signal: controller.signal })
    await expect(late).rejects.toThrow('left')
  })
})

describe('a budget that closes', () => {
  const outcomeOf = (call: Promise<Slot>) =>
    call.then(
      () => 'granted',
      ({ code, reached }) => `${code} ${reached}`,
    )

  test('refuses everyone who waits, and grants nobody a slot', async () => {
    const { clock, budget, saved } = world({ perMinute: 2 })
    const underWay = await budget.acquire('participant')
    await fill(budget, 1)
    const lanes = ['participant', 'participant', 'background', 'participant', 'background'] as const
    const places: number[] = []
    const onQueued = ({ place }: Place) => places.push(place)
    const outcomes = Promise.all(lanes.map((lane) => outcomeOf(budget.acquire(lane, { onQueued }))))
    await clock.advance(0)
    expect(places).toHaveLength(lanes.length)
    // By the time of closing there is room for one of them, as a timer that comes late leaves it.
    clock.leap(2 * minute)
    const before = saved.length
    await budget.close()
    await underWay.release()
    await clock.advance(2 * hour)
    expect(await outcomes).toEqual(lanes.map(() => 'no_slot no'))
    expect(saved).toHaveLength(before)
  })

  test('refuses everyone who comes later, room or not', async () => {
    const { clock, budget } = world()
    const early = outcomeOf(budget.acquire('participant')) // has not read yet what the past left
    await budget.close()
    const late = (['participant', 'background'] as const).map((lane) => outcomeOf(budget.acquire(lane)))
    await clock.advance(hour)
    expect(await Promise.all([early, ...late])).toEqual(['no_slot no', 'no_slot no', 'no_slot no'])
  })
})

describe('after a 429', () => {
  const grantTime = async ({ clock, budget }: ReturnType<typeof world>) => {
    const from = clock.now()
    const granted = budget
      .acquire('participant')
      .then((slot) => slot.release().then(() => clock.now() - from))
    await clock.advance(2 * minute)
    return granted
  }

  test('nobody calls for as long as the service says', async () => {
    const its = world()
    await its.budget.pause(7 * second)
    expect(await grantTime(its)).toBe(7 * second)
  })

  test('without a word from it the pauses grow: 1, 2, 4 … 60 s', async () => {
    const its = world()
    const pauses: number[] = []
    for (let i = 0; i < 8; i += 1) {
      await its.budget.pause()
      pauses.push((await grantTime(its)) / second)
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    await its.clock.advance(3 * minute)
    await its.budget.pause()
    expect(await grantTime(its)).toBe(second)
  })

  test('calls refused together are one reason to pause', async () => {
    const its = world()
    for (const _ of [1, 2, 3]) await its.budget.pause()
    expect(await grantTime(its)).toBe(second)
  })

  test('half of the minute is used for a while, then all of it', async () => {
    const { clock, budget, run, granted } = world()
    await budget.pause(second)
    for (let i = 0; i < 400; i += 1) void run('participant')
    await clock.advance(second)
    await clock.advance(30 * second)
    expect(granted).toHaveLength(50)
    await clock.advance(2 * minute)
    expect(granted.length).toBeGreaterThan(150)
  })
})

describe('a restart', () => {
  test('does not forget the hour', async () => {
    const first = world()
    await fill(first.budget, 100)
    const { clock } = first
    const budget = createEmbeddedBudget({
      perMinute: 100,
      perHour: 3_000,
      ...clock,
      load: async () => first.saved.at(-1) ?? [],
    })
    const granted = budget.acquire('participant').then(() => clock.now())
    const from = clock.now()
    await clock.advance(2 * minute)
    expect((await granted) - from).toBe(minute + 1)
  })

  test('counts what a crash cut short until it must have ended', async () => {
    const { budget, saved, clock } = world()
    await budget.acquire('participant')
    expect(saved.at(-1)).toEqual([clock.now() + 20 * second])
    await clock.advance(5 * second)
    // The process is dead, so its calls are over by now.
    const restarted = createEmbeddedBudget({
      perMinute: 1,
      perHour: 9,
      ...clock,
      load: () => saved.at(-1) ?? [],
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
})
