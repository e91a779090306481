import { describe, expect, test } from 'vitest'
import type { AcquireOptions, Budget, PlaceInLine, Slot, WatchedBudget } from '../../src/service/budget.ts'
import type { Lane } from '../../src/service/endpoints.ts'
import { type FakeClock, fakeClock } from './fake-clock.ts'

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute

export type Limits = { perMinute: number; perHour: number }
export type OpenBudget = (options: Limits & { clock: FakeClock }) => Budget | Promise<Budget>

/** The largest number of arrivals in any window of this length, both ends included. */
export function busiest(arrivals: number[], windowMs: number): number {
  const times = [...arrivals].sort((a, b) => a - b)
  let most = 0
  for (let from = 0, to = 0; to < times.length; to += 1) {
    while ((times[to] ?? 0) - (times[from] ?? 0) > windowMs) from += 1
    most = Math.max(most, to - from + 1)
  }
  return most
}

export async function fill(budget: Budget, count: number) {
  for (let i = 0; i < count; i += 1) await (await budget.acquire('participant')).release()
}

/** Whether a call would have its slot at once; the call is not made. */
export async function hasRoom(budget: Budget, lane: Lane = 'participant'): Promise<boolean> {
  const leaving = new AbortController()
  const asked = budget.acquire(lane, { signal: leaving.signal, onQueued: () => leaving.abort() })
  return asked.then(
    (slot) => slot.cancel().then(() => true),
    () => false,
  )
}

/** The usage that a budget reports. */
export function describeUsage(open: (options: Limits & { clock: FakeClock }) => WatchedBudget) {
  test('it reports the used calls, the waiting ones, and how long a 429 pauses them all', async () => {
    const clock = fakeClock()
    const budget = open({ perMinute: 4, perHour: 100, clock })
    await fill(budget, 3)
    const underWay = await budget.acquire('participant')
    const leaving = new AbortController()
    const waits = [budget.acquire('participant', leaving), budget.acquire('background', leaving)]
    await clock.settled?.()
    expect(await budget.usage()).toEqual({
      minute: { used: 4, limit: 4 },
      hour: { used: 4, limit: 100 },
      waiting: { participant: 1, background: 1 },
      pausedMs: 0,
    })
    leaving.abort()
    await Promise.allSettled(waits)
    await underWay.cancel()
    await budget.pause(30 * second)
    await clock.settled?.()
    expect(await budget.usage()).toMatchObject({
      minute: { used: 3, limit: 2 },
      waiting: { participant: 0, background: 0 },
      pausedMs: 30 * second,
    })
  })
}

/** The promises of every budget, however many replicas share it. */
export function describeBudget(open: OpenBudget) {
  async function world(limits: Partial<Limits> = {}) {
    const clock = fakeClock()
    const budget = await open({ perMinute: 100, perHour: 3_000, clock, ...limits })
    const granted: { lane: Lane; at: number }[] = []
    /** The times at which the service sees the calls, between grant and end. */
    const arrivals: number[] = []
    const run = (lane: Lane, lengthMs = 0) =>
      budget.acquire(lane).then((slot) => {
        granted.push({ lane, at: clock.now() })
        clock.setTimer(() => arrivals.push(clock.now()), Math.random() * lengthMs)
        clock.setTimer(() => void slot.release(), lengthMs)
      })
    /** Takes a slot, returns it at once, and notes the name. */
    const names: string[] = []
    const take = (name: string, lane: Lane = 'participant', options: AcquireOptions = {}) =>
      budget.acquire(lane, options).then((slot) => {
        names.push(name)
        return slot.release()
      })
    /** Waits until the call has left the line on every replica. */
    const room = (lane?: Lane) => hasRoom(budget, lane).finally(clock.settled)
    return { clock, budget, granted, arrivals, run, names, take, room }
  }

  describe('the limits', () => {
    test('hold in every window, however long the calls take, and are used to the last call', async () => {
      const { clock, run, arrivals, granted } = await world({ perMinute: 20, perHour: 50 })
      for (let i = 0; i < 110; i += 1) void run('participant', Math.random() * 20 * second)
      await clock.advance(hour + 10 * minute)
      expect(busiest(arrivals, minute)).toBeLessThanOrEqual(20)
      expect(busiest(arrivals, hour)).toBeLessThanOrEqual(50)
      expect(granted.length).toBeGreaterThan(95)
    })

    test('use the whole minute when calls are short', async () => {
      const { clock, run, arrivals } = await world()
      for (let i = 0; i < 1_000; i += 1) void run('participant', 10)
      await clock.advance(5 * minute)
      expect(arrivals.length).toBe(500)
      expect(busiest(arrivals, minute)).toBe(100)
    })

    test.each([
      [1, 1],
      [7, 20],
      [500, 40],
    ])('are held as given: %i a minute, %i an hour', async (perMinute, perHour) => {
      const { clock, run, arrivals } = await world({ perMinute, perHour })
      for (let i = 0; i < 2 * perHour + 3; i += 1) void run(i % 3 ? 'background' : 'participant', second)
      await clock.advance(hour + 10 * minute)
      expect(busiest(arrivals, minute)).toBeLessThanOrEqual(perMinute)
      expect(busiest(arrivals, hour)).toBeLessThanOrEqual(perHour)
      expect(arrivals.length).toBeGreaterThanOrEqual(Math.floor(1.9 * perHour))
    })

    test('count a call as long as it lasts, and a minute from its end', async () => {
      const { clock, budget } = await world({ perMinute: 1 })
      const slot = await budget.acquire('participant')
      const next = budget.acquire('participant').then(() => clock.now())
      await clock.advance(10 * minute)
      const endedAt = clock.now()
      await slot.release()
      await clock.advance(2 * minute)
      expect((await next) - endedAt).toBe(minute + 1)
    })

    test('count a call through the whole sixtieth second', async () => {
      const { clock, budget, room } = await world({ perMinute: 1 })
      await fill(budget, 1)
      await clock.advance(minute)
      expect(await room()).toBe(false)
      await clock.advance(1)
      expect(await room()).toBe(true)
    })

    test('do not count a call that was never made', async () => {
      const { budget, room } = await world({ perMinute: 1 })
      await (await budget.acquire('participant')).cancel()
      expect(await room()).toBe(true)
      await fill(budget, 1)
      expect(await room()).toBe(false)
    })

    test('count a slot once, however often it is returned', async () => {
      const { budget, room } = await world({ perMinute: 2 })
      const slot = await budget.acquire('participant')
      await slot.release()
      await slot.release()
      await slot.cancel()
      expect(await room()).toBe(true)
      await fill(budget, 1)
      expect(await room()).toBe(false)
    })
  })

  describe('the lanes', () => {
    test('background calls leave half of the minute to participants', async () => {
      const { clock, run, granted } = await world()
      for (let i = 0; i < 300; i += 1) void run('background')
      await clock.advance(10 * second)
      expect(granted).toHaveLength(49)
      for (let i = 0; i < 51; i += 1) void run('participant')
      await clock.advance(1)
      expect(granted.filter(({ lane }) => lane === 'participant')).toHaveLength(51)
    })

    test('background calls leave the last of the hour to participants', async () => {
      const { clock, budget, room } = await world({ perMinute: 10_000, perHour: 300 })
      await fill(budget, 294)
      expect(await room('background')).toBe(false)
      await clock.advance(1)
      await fill(budget, 6)
      expect(await room()).toBe(false)
    })

    test('participants go first, each lane in its order', async () => {
      // One slot at a time: of two that are free at once, either replica may learn first.
      const { clock, budget, take, names } = await world({ perMinute: 1 })
      await fill(budget, 1)
      for (const [lane, name] of [
        ['background', 'b1'],
        ['participant', 'p1'],
        ['background', 'b2'],
        ['participant', 'p2'],
      ] as const) {
        void take(name, lane)
        await clock.settled()
      }
      await clock.advance(10 * minute)
      expect(names.slice(0, 2)).toEqual(['p1', 'p2'])
      expect(names.slice(2)).toEqual(['b1', 'b2'])
    })

    test('background calls have five slots a minute while participants keep coming, and no more', async () => {
      const { clock, run, granted } = await world({ perHour: 100_000 })
      for (let i = 0; i < 700; i += 1) void run('participant')
      for (let i = 0; i < 100; i += 1) void run('background')
      await clock.advance(5 * minute)
      const background = granted.filter(({ lane }) => lane === 'background').map(({ at }) => at)
      expect(busiest(background, minute - 1)).toBeLessThanOrEqual(5)
      expect(background.length).toBeGreaterThanOrEqual(20)
    })

    test('a participant hardly waits while hundreds of background calls are queued', async () => {
      const { clock, run, budget } = await world()
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
    test('is reported, with the place and the estimated time', async () => {
      const { clock, budget } = await world({ perMinute: 2 })
      await fill(budget, 2)
      const told: unknown[] = []
      for (const _ of [1, 2, 3]) {
        void budget.acquire('participant', { onQueued: (place) => told.push(place) })
        await clock.settled()
      }
      expect(told).toEqual([
        { place: 1, etaMs: minute + 1 },
        { place: 2, etaMs: minute + 1 },
        { place: 3, etaMs: 2 * (minute + 1) },
      ])
    })

    test('of a background call is longer by all waiting participants', async () => {
      const { clock, budget } = await world({ perMinute: 2 })
      await fill(budget, 2)
      const places: number[] = []
      for (const lane of ['background', 'participant', 'participant', 'background'] as const) {
        void budget.acquire(lane, { onQueued: ({ place }) => places.push(place) })
        await clock.settled()
      }
      expect(places).toEqual([1, 1, 2, 4])
    })

    test('is estimated from the calls that expire first', async () => {
      const { clock, budget } = await world({ perMinute: 3 })
      const from = clock.now()
      await clock.advance(10 * second)
      await fill(budget, 1)
      await clock.advance(10 * second)
      await fill(budget, 1)
      await budget.acquire('participant')
      await clock.advance(20 * second)
      const opens: number[] = []
      const onQueued = ({ etaMs }: PlaceInLine) => opens.push((clock.now() + etaMs - from) / second)
      for (const _ of [1, 2, 3, 4]) {
        void budget.acquire('participant', { onQueued })
        await clock.settled()
      }
      expect(opens).toEqual([70.001, 80.001, 100.001, 130.002])
    })

    test('is not reported when there is room', async () => {
      const { budget } = await world()
      const told: unknown[] = []
      await budget.acquire('participant', { onQueued: (place) => told.push(place) })
      expect(told).toEqual([])
    })

    test('is reported again when the place or the estimate has changed much', async () => {
      const { clock, budget, run } = await world({ perMinute: 4 })
      await fill(budget, 4)
      for (let i = 0; i < 7; i += 1) void run('participant')
      await clock.settled()
      const told: PlaceInLine[] = []
      void budget.acquire('participant', { onQueued: (place) => told.push(place) })
      await clock.advance(3 * minute)
      expect(told.map(({ place }) => place)).toEqual([8, 4, 4, 4])
      const seconds = told.map(({ etaMs }) => etaMs / second)
      expect(seconds[0]).toBeCloseTo(120, 0)
      for (const [index, estimate] of [55, 25, 10].entries())
        expect(Math.abs((seconds[index + 1] ?? 0) - estimate)).toBeLessThan(6)
    })

    test('ends at its deadline', async () => {
      const { clock, budget, names, take } = await world({ perMinute: 1 })
      await fill(budget, 1)
      const refused = take('worthless', 'participant', { deadline: clock.now() + 30 * second }).catch(
        ({ code, reached }) => `${code} ${reached}`,
      )
      void take('in time', 'participant', { deadline: clock.now() + 2 * minute })
      await clock.advance(30 * second)
      expect(await refused).toBe('too_late no')
      await clock.advance(30 * second + 1)
      expect(names).toEqual(['in time'])
      await expect(take('past', 'participant', { deadline: clock.now() })).rejects.toThrow('too_late')
    })

    test('goes on at its former place after a restart', async () => {
      const { clock, budget, names, take } = await world({ perMinute: 1 })
      await fill(budget, 1)
      void take('new')
      await clock.settled()
      void take('old', 'participant', { since: clock.now() - minute })
      await clock.settled()
      void take('oldest', 'participant', { since: clock.now() - hour })
      await clock.settled()
      void take('ahead of its time', 'participant', { since: clock.now() + hour })
      await clock.advance(5 * minute)
      expect(names).toEqual(['oldest', 'old', 'new', 'ahead of its time'])
    })

    test('unclaimed calls get three slots of ten, and hold up no other call while they wait', async () => {
      const { clock, budget } = await world({ perMinute: 20, perHour: 40 })
      const visits: number[] = []
      for (let one = 0; one < 24; one += 1)
        void budget.acquire('participant', { rank: 'unclaimed' }).then((slot) => {
          visits.push(clock.now())
          return slot.release()
        })
      await clock.advance(second)
      expect(visits).toHaveLength(6)
      let others = 0
      for (const lane of ['participant', 'participant', 'background'] as const)
        void budget.acquire(lane).then((slot) => {
          others += 1
          return slot.release()
        })
      await clock.advance(second)
      expect([others, visits.length]).toEqual([3, 6])
      await clock.advance(10 * minute)
      expect(visits).toHaveLength(12)
      await clock.advance(hour)
      expect(visits).toHaveLength(24)
      expect(busiest(visits, hour)).toBeLessThanOrEqual(12)
    })

    test('of an unclaimed call comes after all claimed ones', async () => {
      const { clock, budget, names, take } = await world({ perMinute: 1 })
      await fill(budget, 1)
      const told: number[] = []
      const onQueued = ({ place }: PlaceInLine) => told.push(place)
      void take('unclaimed', 'participant', { rank: 'unclaimed', onQueued })
      await clock.settled()
      void take('under way', 'participant', { onQueued })
      await clock.settled()
      void take('background', 'background', { onQueued })
      await clock.advance(5 * minute)
      expect(names).toEqual(['under way', 'unclaimed', 'background'])
      expect(told.slice(0, 3)).toEqual([1, 1, 3])
    })

    test('is limited to three places for one account; its other calls come behind the others', async () => {
      const { clock, budget, names, take } = await world({ perMinute: 1 })
      await fill(budget, 1)
      const told: number[] = []
      for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2']) {
        void take(name, 'participant', { account: name[0], onQueued: ({ place }) => told.push(place) })
        await clock.settled()
      }
      expect(told).toEqual([1, 2, 3, 4, 4, 4, 5])
      await clock.advance(8 * minute)
      expect(names).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'a4', 'a5'])
    })

    test('of one account, however many its calls, keeps no other account out of the line', async () => {
      const { clock, budget, names, take } = await world({ perMinute: 1 })
      await fill(budget, 1)
      for (let i = 0; i < 200; i += 1) void take('a', 'participant', { account: 'a' })
      await clock.settled()
      void take('b', 'participant', { account: 'b' })
      await clock.advance(5 * minute)
      expect(names).toEqual(['a', 'a', 'a', 'b'])
    })

    test('outside of the three places ends like any other', async () => {
      const { clock, budget, names, take } = await world({ perMinute: 1 })
      await fill(budget, 1)
      const [inLine, outside] = [new AbortController(), new AbortController()]
      const account = 'a'
      const signals = { a1: inLine.signal, a4: outside.signal } as Record<string, AbortSignal>
      for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) {
        take(name, 'participant', { account, signal: signals[name] }).catch(() => undefined)
        await clock.settled()
      }
      void take('b1')
      await clock.settled()
      outside.abort(new Error('left'))
      inLine.abort(new Error('left'))
      await clock.advance(5 * minute)
      expect(names).toEqual(['a2', 'a3', 'b1', 'a5'])
    })

    test('ends when the call is aborted, and the next in line moves up', async () => {
      const { clock, budget } = await world({ perMinute: 1 })
      await fill(budget, 1)
      const controller = new AbortController()
      const waiting = budget.acquire('participant', { signal: controller.signal })
      const from = clock.now()
      await clock.settled()
      const next = budget.acquire('participant').then(() => clock.now() - from)
      await clock.settled()
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

    test('refuses every waiting call, and grants no slot', async () => {
      const { clock, budget } = await world({ perMinute: 2 })
      const underWay = await budget.acquire('participant')
      await fill(budget, 1)
      const lanes = ['participant', 'participant', 'background', 'participant', 'background'] as const
      const places: number[] = []
      const onQueued = ({ place }: PlaceInLine) => places.push(place)
      const outcomes = Promise.all(lanes.map((lane) => outcomeOf(budget.acquire(lane, { onQueued }))))
      await clock.advance(0)
      expect(places).toHaveLength(lanes.length)
      // At the time of closing there is room for one of them, as after a late timer.
      clock.leap(2 * minute)
      await budget.close()
      await underWay.release()
      await clock.advance(2 * hour)
      expect(await outcomes).toEqual(lanes.map(() => 'no_slot no'))
    })

    test('refuses every later call, with room or without', async () => {
      const { clock, budget } = await world()
      const early = outcomeOf(budget.acquire('participant')) // has not read the past yet
      await budget.close()
      const late = (['participant', 'background'] as const).map((lane) => outcomeOf(budget.acquire(lane)))
      await clock.advance(hour)
      expect(await Promise.all([early, ...late])).toEqual(['no_slot no', 'no_slot no', 'no_slot no'])
    })
  })

  describe('after a 429', () => {
    const grantTime = async ({ clock, budget }: Awaited<ReturnType<typeof world>>) => {
      const from = clock.now()
      const granted = budget
        .acquire('participant')
        .then((slot) => slot.release().then(() => clock.now() - from))
      await clock.advance(2 * minute)
      return granted
    }

    test('no call is made for as long as the service says', async () => {
      const its = await world()
      await its.budget.pause(7 * second)
      expect(await grantTime(its)).toBe(7 * second)
    })

    test('without a time from the service the pauses grow: 1, 2, 4 … 60 s', async () => {
      const its = await world()
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

    test('calls refused together cause one pause', async () => {
      const its = await world()
      for (const _ of [1, 2, 3]) await its.budget.pause()
      expect(await grantTime(its)).toBe(second)
    })

    test('half of the minute is used for a while, then all of it', async () => {
      const { clock, budget, run, granted } = await world()
      await budget.pause(second)
      for (let i = 0; i < 400; i += 1) void run('participant')
      await clock.advance(second)
      await clock.advance(30 * second)
      expect(granted).toHaveLength(50)
      await clock.advance(2 * minute)
      expect(granted.length).toBeGreaterThan(150)
    })
  })
}
