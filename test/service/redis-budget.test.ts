import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AcquireOptions, Budget, WatchedBudget } from '../../src/service/budget.ts'
import type { BudgetStore } from '../../src/service/open-budget.ts'
import { openBudget } from '../../src/service/open-budget.ts'
import { createRedisStore } from '../../src/storage/redis.ts'
import type { Entry } from '../../src/storage/store.ts'
import { findRedisServer, type RedisServer, startRedis } from '../storage/redis-server.ts'
import {
  busiest,
  describeBudget,
  describeUsage,
  fill,
  hasRoom,
  type Limits,
  minute,
  second,
} from './budget-contract.ts'
import { countedStores } from './counted-store.ts'
import { type FakeClock, fakeClock } from './fake-clock.ts'

const program = findRedisServer()

/** A value that several replicas share; each request takes a tick. A real Redis would be too slow here. */
function sharedValue(now: () => number): BudgetStore {
  let entry: Entry | undefined
  return {
    async readAt() {
      await setImmediate()
      return { at: now(), entry }
    },
    async put({ value }, expected) {
      await setImmediate()
      if ((entry?.version ?? null) !== expected) return false
      entry = value ? { value, version: String(Number(expected) + 1) } : undefined
      return true
    },
  }
}

/** Each call goes through the next replica, so that the contract holds among them. */
function asOne(budgets: Budget[]): Budget {
  let turn = 0
  const next = () => budgets[turn++ % budgets.length] as Budget
  return {
    acquire: (...asked) => next().acquire(...asked),
    pause: (ms) => next().pause(ms),
    close: async () => void (await Promise.all(budgets.map((budget) => budget.close()))),
  }
}

describe('the budget of three replicas', () => {
  const { of, settled } = countedStores()
  describeBudget(({ clock, ...limits }) => {
    clock.settled = settled
    const store = of(sharedValue(clock.now))
    return asOne([1, 2, 3].map(() => openBudget({ store, name: 'shared', ...limits, ...clock })))
  })
})

describe.skipIf(!program)('the budget in Redis', () => {
  let server: RedisServer
  const connections = new Set<Connection>()
  const { of, settled } = countedStores()
  let named = 0

  type Connection = Awaited<ReturnType<typeof createRedisStore>>
  type Replica = { budget: WatchedBudget; name: string; store: BudgetStore; connection: Promise<Connection> }

  async function connect(now?: () => number, url = server.url): Promise<Connection> {
    const connection = await createRedisStore({ url, ...(now && { now }) })
    connections.add(connection)
    return connection
  }

  /** The budgets of several replicas with one key. */
  function replicas(count: number, { clock, ...limits }: Limits & { clock: FakeClock }): Replica[] {
    clock.settled = settled
    const name = `key-${named++}`
    return Array.from({ length: count }, () => {
      const connection = connect(clock.now)
      const store = of(connection)
      const asked: BudgetStore = {
        readAt: (key) => store.readAt(key),
        put: (...write) => store.put(...write),
      }
      const budget = openBudget({ store: asked, name, ...limits, ...clock })
      return { budget, name, store, connection }
    })
  }

  beforeAll(async () => {
    server = await startRedis(program ?? '', ['--save', ''])
  })
  afterEach(async () => {
    for (const connection of connections) await connection.close()
    connections.clear()
  })
  afterAll(() => server.remove())

  describe('of one replica', () => {
    describeUsage((options) => {
      const [{ budget }] = replicas(1, options) as [Replica]
      return budget
    })
  })

  test('the limits of three replicas hold in every window, and are used to the last call', async () => {
    const clock = fakeClock()
    const three = replicas(3, { perMinute: 20, perHour: 50, clock })
    const begun: number[] = []
    for (let i = 0; i < 60; i += 1)
      void three[i % 3]?.budget.acquire('participant').then((slot) => {
        begun.push(clock.now())
        clock.setTimer(() => void slot.release(), (i % 7) * 100)
      })
    await clock.advance(4 * minute)
    expect(busiest(begun, minute)).toBe(20)
    expect(begun).toHaveLength(50)
  })

  function two(limits: Partial<Limits> = {}) {
    const clock = fakeClock()
    const [one, other] = replicas(2, { perMinute: 1, perHour: 100, clock, ...limits })
    if (!one || !other) throw new Error('two were asked for')
    return { clock, one, other }
  }

  /** The time until a call has its slot, in seconds. */
  function slotAfter(clock: FakeClock, budget: Budget, options?: AcquireOptions): Promise<number> {
    const from = clock.now()
    return budget.acquire('participant', options).then(async (slot) => {
      await slot.release()
      return (clock.now() - from) / second
    })
  }

  /** As a killed process: none of its requests reaches Redis any more. */
  function kill({ store }: Replica): void {
    store.readAt = () => Promise.reject(new Error('killed'))
    store.put = () => Promise.reject(new Error('killed'))
  }

  test('the places of a dead replica are given up after 5 s of silence', async () => {
    const { clock, one, other } = two()
    await fill(other.budget, 1)
    await clock.advance(55 * second)
    for (let i = 0; i < 3; i += 1) void one.budget.acquire('participant').catch(() => undefined)
    await clock.settled()
    const places: number[] = []
    const slot = slotAfter(clock, other.budget, { onQueued: ({ place }) => places.push(place) })
    await clock.settled()
    kill(one)
    await clock.advance(7 * second)
    expect(places).toEqual([4])
    expect(await slot).toBeCloseTo(5, 0)
  })

  test('a call of a dead replica counts until it must have ended', async () => {
    const { clock, one, other } = two()
    await one.budget.acquire('participant')
    kill(one)
    const slot = slotAfter(clock, other.budget)
    await clock.advance(2 * minute)
    expect(await slot).toBeCloseTo(20 + 60, 0)
  })

  test('a slot that its owner learned of too late is not used', async () => {
    const { clock, one, other } = two()
    const answers: (() => void)[] = []
    const { put } = one.store
    one.store.put = (...write) =>
      put(...write).then((reply) => new Promise((resolve) => answers.push(() => resolve(reply))))
    const slots: number[] = []
    const begin = (name: number) => () => void slots.push(name)
    void one.budget.acquire('participant').then(begin(1))
    await clock.settled()
    void other.budget.acquire('participant').then(begin(2))
    // Stopped for so long that it counts as dead.
    clock.leap(30 * second)
    one.store.put = put
    for (const answer of answers) answer()
    await clock.advance(second)
    expect(slots).toEqual([1])
    await clock.advance(59 * second)
    expect(slots).toEqual([1])
  })

  test('a slot that others have used before its owner learned of it is not used', async () => {
    const { clock, one, other } = two()
    const answers: (() => void)[] = []
    const { put } = one.store
    one.store.put = (...write) =>
      put(...write).then((reply) => new Promise((resolve) => answers.push(() => resolve(reply))))
    const slots: number[] = []
    void one.budget.acquire('participant').then(() => slots.push(1))
    await clock.settled()
    clock.leap(90 * second)
    void other.budget.acquire('participant').then(() => slots.push(2))
    await clock.settled()
    one.store.put = put
    for (const answer of answers) answer()
    await clock.advance(59 * second)
    expect(slots).toEqual([2])
  })

  test('a lost reply costs a second, not the place', async () => {
    const { clock, one, other } = two()
    const { put } = one.store
    one.store.put = async (...write) => {
      one.store.put = put
      await put(...write)
      throw new Error('the connection is gone')
    }
    const slot = slotAfter(clock, one.budget)
    await clock.settled()
    const next = slotAfter(clock, other.budget)
    await clock.advance(second)
    expect(await slot).toBe(1)
    await clock.advance(2 * minute)
    expect(await next).toBeGreaterThan(60)
  })

  test('an emptied Redis learns again which calls wait, oldest first', async () => {
    const { clock, one, other } = two()
    await fill(one.budget, 1)
    const names: string[] = []
    for (const [name, { budget }] of [
      ['first', other],
      ['second', one],
      ['third', other],
      ['fourth', one],
    ] as const) {
      void budget.acquire('participant').then((slot) => {
        names.push(name)
        return slot.release()
      })
      await clock.advance(10)
    }
    await (await other.connection).redis.flushall()
    await clock.advance(5 * minute)
    // It has forgotten the minute too: the first replica to write has a slot.
    expect(names).toHaveLength(4)
    const [luckiest, ...others] = names
    expect(others).toEqual(['first', 'second', 'third', 'fourth'].filter((name) => name !== luckiest))
  })

  test('while Redis is away no slot is granted, and waiting calls go on waiting', async () => {
    const own = await startRedis(program ?? '', ['--save', ''])
    const store = await connect(undefined, own.url)
    const { redis } = store
    const budget = openBudget({ store, name: 'key', perMinute: 10, perHour: 100 })
    await fill(budget, 1)
    await own.kill()
    let isGranted = false
    const slot = budget.acquire('participant').then((granted) => {
      isGranted = true
      return granted
    })
    await expect.poll(() => redis.status).toBe('reconnecting')
    expect(isGranted).toBe(false)
    await own.start()
    await (await slot).release()
    await own.remove()
  })

  test('by the clock of Redis: one script for a slot, and nothing of a waiting call stays', async () => {
    const name = 'by-redis'
    const stores = [await connect(), await connect()] as const
    const [{ redis }] = stores
    const budgets = stores.map((store) => openBudget({ store, name, perMinute: 2, perHour: 9 }))
    const [one, other] = budgets as [WatchedBudget, WatchedBudget]
    await fill(one, 1)
    await redis.config('RESETSTAT')
    await other.acquire('participant')
    expect(await redis.info('commandstats')).toMatch(/cmdstat_eval(sha)?:calls=1,/)
    const refused = [one, other].map((budget) => budget.acquire('background').catch(({ code }) => code))
    await settled()
    await Promise.all(budgets.map((budget) => budget.close()))
    expect(await Promise.all(refused)).toEqual(['no_slot', 'no_slot'])
    const keys = await redis.keys(`*${name}*`)
    expect(keys).toEqual([`{porsa}budget:${name}`])
    expect(await one.usage()).toMatchObject({ waiting: { participant: 0, background: 0 } })
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0)
  })

  test('works over the own connection of a Redis store', async () => {
    const stores = await Promise.all([1, 2].map(() => createRedisStore({ url: server.url })))
    const limits = { name: 'over-stores', perMinute: 40, perHour: 99 }
    const [one, other] = stores.map((store) => openBudget({ store, ...limits }))
    if (!one || !other) throw new Error('two were asked for')
    const slots = [one, other].flatMap((budget) =>
      Array.from({ length: 20 }, () => budget.acquire('participant')),
    )
    for (const slot of await Promise.all(slots)) await slot.release()
    expect([await hasRoom(one), await hasRoom(other)]).toEqual([false, false])
    await Promise.all([one, other].map((budget) => budget.close()))
    await Promise.all(stores.map((store) => store.close()))
  })

  test('at most a hundred calls of a replica are in line, and the others are counted too', async () => {
    const clock = fakeClock()
    const four = replicas(4, { perMinute: 250, perHour: 3_000, clock })
    const [{ budget, store, name }] = four as [Replica]
    await fill(budget, 250)
    for (const lane of ['participant', 'background'] as const)
      for (let i = 0; i < 220; i += 1) void four[i % 4]?.budget.acquire(lane).then((slot) => slot.release())
    await clock.settled()
    const { entry } = await store.readAt(`budget:${name}`)
    expect(JSON.parse(String(entry?.value)).waiting).toHaveLength(4 * 100)
    expect(await budget.usage()).toMatchObject({ waiting: { participant: 220, background: 220 } })
    await clock.advance(2 * minute)
    expect(await budget.usage()).toMatchObject({ waiting: { participant: 0 } })
  })

  test('a replica whose clock is wrong by an hour changes nothing', async () => {
    const { clock, one, other } = two()
    const wrong = { ...clock, now: () => clock.now() + 60 * minute }
    const limits = { perMinute: 1, perHour: 100 }
    const astray = openBudget({ store: other.store, name: other.name, ...limits, ...wrong })
    await fill(one.budget, 1)
    const slot = slotAfter(clock, astray)
    await clock.advance(2 * minute)
    expect(await slot).toBeCloseTo(60, 0)
  })

  test('calls missing in a restored store count again once the replica that made them asks', async () => {
    const { clock, one, other } = two()
    expect(await hasRoom(one.budget)).toBe(true)
    const key = `budget:${one.name}`
    const former = (await one.store.readAt(key)).entry
    await fill(one.budget, 1)
    const { at, entry } = await one.store.readAt(key)
    const write = { key, value: former?.value ?? null, expiresAt: at + 60 * minute }
    expect(await one.store.put(write, entry?.version ?? null)).toBe(true)
    const slot = slotAfter(clock, one.budget)
    await clock.settled()
    const next = slotAfter(clock, other.budget)
    await clock.advance(3 * minute)
    expect(await slot).toBeCloseTo(60, 0)
    expect(await next).toBeCloseTo(120, 0)
  })

  test('2,000 waiting calls make few requests', async () => {
    const clock = fakeClock()
    const four = replicas(4, { perMinute: 100, perHour: 3_000, clock })
    for (const { budget } of four) {
      for (let i = 0; i < 500; i += 1) void budget.acquire('background').then((slot) => slot.release())
    }
    await clock.advance(10 * second)
    const { redis } = await connect()
    await redis.config('RESETSTAT')
    await clock.advance(minute)
    const [, calls] = /cmdstat_evalsha:calls=(\d+),/.exec(await redis.info('commandstats')) ?? []
    // A beat of each every second, a look at each of about 49 grants, and their ends.
    expect(Number(calls)).toBeLessThan(4 * 60 + 4 * 49 * 2 + 49)
  })
})
