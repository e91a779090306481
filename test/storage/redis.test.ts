import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openAttempt } from '../../src/domain/attempt-layout.ts'
import { exitCodeOf } from '../../src/observe/away.ts'
import { createRedisStore } from '../../src/storage/redis.ts'
import type { Claim, Store } from '../../src/storage/store.ts'
import { startCountingProxy } from '../../tools/bench/counting-proxy.ts'
import { until } from '../until.ts'
import { appendHandled } from './child-work.ts'
import { describeStore } from './contract.ts'
import { attemptOf } from './moves.ts'
import { findRedisServer, type RedisServer, startRedis } from './redis-server.ts'
import { claimNext, KINDS, minute, post } from './worlds.ts'

const program = findRedisServer()

describe.skipIf(!program)('with a real redis-server', () => {
  let server: RedisServer
  const stores: Store[] = []

  async function open(url: string, now?: () => number): Promise<Store> {
    const store = await createRedisStore({ url, ...(now && { now }) })
    stores.push(store)
    return store
  }

  async function emptied<T>(use: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(server.url)
    await redis.flushall()
    const result = await use(redis)
    redis.disconnect()
    return result
  }

  beforeAll(async () => {
    server = await startRedis(program ?? '')
  })
  afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())))
  afterAll(() => server.remove())

  describeStore('Redis', ({ now }, killed) =>
    killed ? open(server.url, now) : emptied(() => open(server.url, now)),
  )

  test('an answer is one command of at most 150 bytes, request and reply together', async () => {
    await emptied(async () => undefined)
    const proxy = await startCountingProxy(server.port)
    const store = await open(`redis://127.0.0.1:${proxy.port}`)
    const key = 's:abcdefgh'
    const owner = Buffer.from('owner-01')
    await store.put({ key, value: attemptOf(567) }, null)
    const answer = (question: number, messageId?: number) =>
      store.answer(key, {
        kind: 'answer',
        owner,
        question,
        revision: question + 1,
        first: 1,
        change: 2,
        allowBack: true,
        ...(messageId && { messageId }),
      })
    await answer(0)
    for (let question = 1; question < 567; question++) {
      proxy.take()
      expect(await answer(question)).toMatchObject({ status: 'accepted' })
      const { requests, bytes } = proxy.take()
      expect(requests.match(/\*\d+\r\n\$7\r\nevalsha\r\n/g)).toHaveLength(1)
      expect(requests.match(/\*\d+\r\n/g)).toHaveLength(1)
      expect(bytes).toBeLessThanOrEqual(150)
    }
    await proxy.close()
  })

  test('answers sent together are one command, and a harmed one fails alone', async () => {
    await emptied((redis) => redis.rpush('{porsa}s:harmed', 'a list'))
    const proxy = await startCountingProxy(server.port)
    const store = await open(`redis://127.0.0.1:${proxy.port}`)
    const owner = Buffer.from('owner-01')
    const tap = { kind: 'answer', owner, first: 1, change: 2, allowBack: true } as const
    const answer = (s: string, question: number) =>
      store.answer(`s:${s}`, { ...tap, question, revision: question + 1 })
    for (const s of ['one', 'two']) await store.put({ key: `s:${s}`, value: attemptOf(3) }, null)
    await answer('one', 0)
    proxy.take()
    const replies = await Promise.allSettled([
      answer('two', 0),
      answer('harmed', 0),
      answer('one', 1),
      answer('one', 1),
      answer('one', 2),
      answer('absent', 0),
    ])
    expect(proxy.take().commands).toBe(1)
    expect(replies).toMatchObject([
      { value: { status: 'accepted', answered: 1 } },
      { reason: { message: expect.stringContaining('WRONGTYPE') } },
      { value: { status: 'accepted', answered: 2 } },
      { value: { status: 'stale', answered: 2 } },
      { value: { status: 'accepted', answered: 3 } },
      { value: { status: 'gone' } },
    ])
    await proxy.close()
  })

  test('if memory is short, answers sent together are refused as a single one is, and not kept', async () => {
    await emptied(async (redis) => {
      const store = await open(server.url)
      const keys = ['s:one', 's:two']
      for (const key of keys) await store.put({ key, value: attemptOf(3) }, null)
      const tap = {
        kind: 'answer',
        owner: Buffer.from('owner-01'),
        first: 1,
        change: 2,
        allowBack: true,
      } as const
      const answers = () =>
        Promise.allSettled(keys.map((key) => store.answer(key, { ...tap, question: 0, revision: 1 })))
      await redis.config('SET', 'maxmemory', '1')
      const refused = { reason: { message: expect.stringContaining('OOM') } }
      expect(await answers()).toMatchObject([refused, refused])
      await redis.config('SET', 'maxmemory', '0')
      expect(await answers()).toMatchObject(keys.map(() => ({ value: { status: 'accepted', answered: 1 } })))
    })
  })

  test('an answer is dated by the clock of Redis, whatever the clock of the process shows', async () => {
    const key = 's:abcdefgh'
    const revised = {
      kind: 'answer',
      owner: Buffer.from('owner-01'),
      first: 1,
      change: 2,
      allowBack: true,
    } as const
    for (const aheadMs of [37_000, -37_000]) {
      await emptied(async (redis) => {
        const clock = vi.spyOn(Date, 'now')
        const secondsOfRedis = async () => Number((await redis.time())[0])
        const store = await open(server.url)
        await store.put({ key, value: attemptOf(2) }, null)
        const before = await secondsOfRedis()
        clock.mockReturnValue(before * 1_000 + aheadMs)
        await store.answer(key, { ...revised, question: 0, revision: 1 })
        const [entry] = await store.read([key])
        clock.mockRestore()
        const { shownAt, lastActivityAt } = openAttempt(entry?.value ?? Buffer.alloc(0))
        expect(shownAt).toBe(lastActivityAt)
        expect(Math.floor(shownAt / 1_000)).toBeGreaterThanOrEqual(before)
        expect(Math.floor(shownAt / 1_000)).toBeLessThanOrEqual(await secondsOfRedis())
      })
    }
  })

  test('every key has the one tag, and values expire by themselves', async () => {
    await emptied(async (redis) => {
      const store = await open(server.url)
      await store.put({ key: 'draft:1', value: Buffer.from('x'), expiresAt: Date.now() + minute }, null)
      await store.post(post('chat:1', 'update'))
      await store.claim(minute, KINDS)
      const keys = await redis.keys('*')
      expect(keys.sort()).toEqual([
        '{porsa}#due:chat',
        '{porsa}#fence',
        '{porsa}#life',
        '{porsa}#q:chat:1',
        '{porsa}#seen',
        '{porsa}draft:1',
      ])
      const leavesInMs = await redis.pttl('{porsa}draft:1')
      expect(leavesInMs).toBeGreaterThan(0)
      expect(leavesInMs).toBeLessThanOrEqual(minute)
      await store.put({ key: 'draft:2', value: Buffer.from('x'), expiresAt: Date.now() + 40 }, null)
      await until(async () => !(await redis.exists('{porsa}draft:2')))
    })
  })

  test('ended messages leave nothing but the ids of the last 24 hours', async () => {
    await emptied(async (redis) => {
      const store = await open(server.url)
      for (const id of ['1', '2', '3']) await store.post(post('chat:1', id))
      while (await appendHandled(store, minute));
      expect((await redis.keys('*')).sort()).toEqual(['{porsa}#life', '{porsa}#seen', '{porsa}done:chat:1'])
    })
  })

  test('a Redis that came back older is noticed, even if another replica has counted on meanwhile', async () => {
    await emptied(async (redis) => {
      const [one, two] = [await open(server.url), await open(server.url)]
      async function begins(store: Store, id: string) {
        await store.post(post(`submit:${id}`, id))
        const claim = await store.claim(minute, ['submit'])
        if (claim) expect(await store.begin(claim, minute)).toBe(true)
      }
      await begins(two, '1')
      const [own = ''] = await redis.keys('{porsa}#begun:*')
      await begins(one, '2')
      const before = await one.life()
      expect(await two.life()).toBe(before)
      // A begin of the second replica is lost, and one of the first follows.
      await begins(two, '3')
      await redis.decr('{porsa}#begun')
      await redis.decr(own)
      await begins(one, '4')
      expect(await two.life()).not.toBe(before)
      expect(await one.life()).toBe(await two.life())
    })
  })

  test('a message put back by a replica with a wrong clock comes again at its time, for all replicas', async () => {
    await emptied(async () => {
      const aheadMs = 10 * minute
      const clock = () => Date.now() + aheadMs
      const ahead = await createRedisStore({ url: server.url, clock })
      stores.push(ahead)
      const other = await open(server.url)
      await ahead.post({ ...post('chat:1', 'update'), dueAt: clock() })
      const claim = await other.claim(minute, KINDS)
      expect(claim?.message.id).toBe('update')
      if (claim) await ahead.commit(claim, { retryAt: clock() })
      expect((await other.claim(minute, KINDS))?.message.id).toBe('update')
    })
  })

  test('a value expired for a replica whose clock is ahead can be written by it, or by its commit', async () => {
    await emptied(async () => {
      const ahead = await createRedisStore({ url: server.url, clock: () => Date.now() + minute })
      stores.push(ahead)
      const soon = (key: string) => ({ key, value: Buffer.from('old'), expiresAt: Date.now() + minute / 2 })
      for (const key of ['draft:1', 'draft:2']) expect(await ahead.put(soon(key), null)).toBe(true)
      expect(await ahead.read(['draft:1', 'draft:2'])).toEqual([undefined, undefined])
      const writes = [{ key: 'draft:1', value: Buffer.from('new') }]
      await ahead.post(post('chat:1', 'update'))
      const expects = [{ key: 'draft:1', version: null }]
      expect(await ahead.commit(await claimNext(ahead), { expects, writes })).toBe('ok')
      // By the clock of Redis it still exists, for a replica that read it by that clock.
      const { entry } = await ahead.readAt('draft:2')
      expect(await ahead.put(soon('draft:2'), entry?.version ?? null)).toBe(true)
      expect(await ahead.put(soon('draft:2'), null)).toBe(true)
    })
  })

  test('a value kept by a replica whose clock is behind stays for its term, and its commit is taken', async () => {
    await emptied(async (redis) => {
      const clock = () => Date.now() - 60 * minute
      const behind = await createRedisStore({ url: server.url, clock })
      stores.push(behind)
      await behind.put({ key: 'draft:1', value: Buffer.from('1'), expiresAt: clock() + 10 * minute }, null)
      expect(await redis.pttl('{porsa}draft:1')).toBeGreaterThan(9 * minute)
      const [entry] = await behind.read(['draft:1'])
      await behind.post(post('chat:1', 'update'))
      const expects = [{ key: 'draft:1', version: entry?.version ?? null }]
      expect(await behind.commit(await claimNext(behind), { expects })).toBe('ok')
    })
  })

  test('a database that Redis does not have is a wrong setting, not another one', async () => {
    await emptied(async (redis) => {
      const error = await open(`${server.url}/99`).catch((failed: unknown) => failed)
      expect([exitCodeOf(error), String(error)]).toEqual([1, expect.stringContaining('REDIS_URL is set')])
      expect(await redis.keys('*')).toEqual([])
    })
    const cluster = await startRedis(program ?? '', ['--cluster-enabled', 'yes'])
    const error = await open(`${cluster.url}/1`).catch((failed: unknown) => failed)
    await cluster.remove()
    expect(exitCodeOf(error)).toBe(1)
  })

  test.each([
    ['is full', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
    ['is a replica for now', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
  ])('a start while Redis %s is tried again', async (_, [harm = '', ...how], [mend = '', ...back]) => {
    await emptied(async (redis) => {
      await redis.call(harm, ...how)
      const error = await open(server.url).catch((failed: unknown) => failed)
      await redis.call(mend, ...back)
      expect([exitCodeOf(error), String(error)]).toEqual([75, expect.stringContaining('cannot be used')])
    })
  })

  test('a Redis without memory left is noticed', async () => {
    await emptied(async (redis) => {
      const store = await open(server.url)
      await store.ping()
      await redis.config('SET', 'maxmemory', '1')
      await expect(store.ping()).rejects.toThrow()
      await redis.config('SET', 'maxmemory', '0')
      await store.ping()
    })
  })

  test('the lease of one replica runs out for the other one by the clock of Redis', async () => {
    const [one, two] = await emptied(async () => [await open(server.url), await open(server.url)] as const)
    await one.post(post('chat:1', 'update'))
    const first = await one.claim(1_000, KINDS)
    expect(await two.claim(minute, KINDS)).toBeUndefined()
    let taken: Claim | undefined
    await until(async () => {
      taken = await two.claim(minute, KINDS)
      return taken !== undefined
    })
    expect(taken?.message).toMatchObject({ id: 'update', begun: false })
    expect(first && (await one.commit(first, {}))).toBe('lost')
  })
})
