import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startCountingProxy } from '../../src/bench/counting-proxy.ts'
import { createRedisStore } from '../../src/store/redis.ts'
import type { Claim, Store } from '../../src/store/store.ts'
import { until } from '../until.ts'
import { appendHandled } from './child-work.ts'
import { describeStore } from './contract.ts'
import { sittingOf } from './contract-answers.ts'
import { expectNoPersonalData, keepPersonalData } from './contract-secrecy.ts'

import { durable, findRedisServer, freePort, type RedisServer, startRedis } from './redis-server.ts'
import { minute, post, start, textOf } from './worlds.ts'

const program = findRedisServer()

describe.skipIf(!program)('with a real redis-server', () => {
  let server: RedisServer
  const stores: Store[] = []
  const servers: RedisServer[] = []

  async function serve(args: readonly string[] = durable): Promise<RedisServer> {
    const started = await startRedis(program ?? '', args)
    servers.push(started)
    return started
  }

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
    server = await serve()
  })
  afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())))
  afterAll(() => Promise.all(servers.map((each) => each.remove())))

  describeStore('Redis', ({ now }) => emptied(() => open(server.url, now)))

  test('an answer is one command of at most 150 bytes, request and reply together', async () => {
    await emptied(async () => undefined)
    const proxy = await startCountingProxy(server.port)
    const store = await open(`redis://127.0.0.1:${proxy.port}`)
    const key = 's:abcdefgh'
    const owner = Buffer.from('owner-01')
    await store.put({ key, value: sittingOf(567) }, null)
    const answer = (question: number, messageId?: number) =>
      store.answer(key, {
        kind: 'answer',
        owner,
        at: start + question * 5_000,
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

  test('every key carries the one tag, and values leave by themselves', async () => {
    await emptied(async (redis) => {
      const store = await open(server.url)
      await store.put({ key: 'draft:1', value: Buffer.from('x'), expiresAt: Date.now() + minute }, null)
      await store.post(post('chat:1', 'update'))
      await store.claim(minute)
      const keys = await redis.keys('*')
      expect(keys.sort()).toEqual([
        '{porsa}#due',
        '{porsa}#fence',
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

  test('what is ended leaves nothing behind but the ids of the last 24 hours', async () => {
    await emptied(async (redis) => {
      const store = await open(server.url)
      for (const id of ['1', '2', '3']) await store.post(post('chat:1', id))
      while (await appendHandled(store, minute));
      expect((await redis.keys('*')).sort()).toEqual(['{porsa}#seen', '{porsa}done:chat:1'])
    })
  })

  test('two replicas by the clock of Redis: a lease runs out for the other one', async () => {
    const [one, two] = await emptied(async () => [await open(server.url), await open(server.url)] as const)
    await one.post(post('chat:1', 'update'))
    const first = await one.claim(1_000)
    expect(await two.claim(minute)).toBeUndefined()
    let taken: Claim | undefined
    await until(async () => {
      taken = await two.claim(minute)
      return taken !== undefined
    })
    expect(taken?.message).toMatchObject({ id: 'update', interrupted: true })
    expect(first && (await one.commit(first, {}))).toBe('lost')
  })

  test('nothing personal stands in the files in plain text', async () => {
    const own = await serve()
    const store = await open(own.url)
    await keepPersonalData(store)
    const redis = new Redis(own.url)
    await redis.save()
    redis.disconnect()
    await expectNoPersonalData(own.dir)
  })

  test('killed and started again in the middle of the work, Redis has lost and doubled nothing', async () => {
    const own = await serve()
    const store = await open(own.url)
    const ids = Array.from({ length: 150 }, (_, number) => `m${number}`)
    for (const id of ids) await store.post(post('chat:1', id))
    let handled = 0
    let failures = 0
    const work = (async () => {
      for (let idle = 0; idle < 100; ) {
        const id = await appendHandled(store, 50).catch(() => 'failed' as const)
        if (id === 'failed') failures += 1
        else if (id) handled += 1
        else idle += 1
        await sleep(id && id !== 'failed' ? 1 : 5)
      }
    })()
    // Over a short absence commands are sent again, over a longer one they fail.
    for (const [after, awayMs] of [
      [30, 10],
      [60, 600],
    ] as const) {
      while (handled < after) await sleep(2)
      await own.kill()
      await sleep(awayMs)
      await own.start()
    }
    await work
    expect(failures).toBeGreaterThan(0)
    expect(await textOf(store, 'done:chat:1')).toBe(ids.map((id) => `${id};`).join(''))
  })

  test('while Redis is away or hangs every operation fails within seconds, and works again by itself', async () => {
    const own = await serve()
    const store = await open(own.url)
    await store.put({ key: 'draft:1', value: Buffer.from('kept') }, null)
    const failsSoon = async () => {
      const from = performance.now()
      await expect(store.ping()).rejects.toThrow()
      await expect(store.read(['draft:1'])).rejects.toThrow()
      expect(performance.now() - from).toBeLessThan(8_000)
    }
    await own.kill()
    await failsSoon()
    await own.start()
    await untilAnswering(store)
    expect(await textOf(store, 'draft:1')).toBe('kept')
    own.freeze()
    await Promise.all([expect(store.ping()).rejects.toThrow(), expect(store.claim(minute)).rejects.toThrow()])
    own.thaw()
    await untilAnswering(store)
    expect(await textOf(store, 'draft:1')).toBe('kept')
  })

  test('an unreachable Redis or a wrong password is refused at the start, without secrets', async () => {
    const port = await freePort()
    const refused = await createRedisStore({ url: `redis://user:geheim@127.0.0.1:${port}` }).catch(String)
    expect(refused).toMatch(/REDIS_URL is set, but Redis cannot be reached \(ECONNREFUSED\)/)
    const own = await serve([...durable, '--requirepass', 'right'])
    const wrong = await createRedisStore({ url: own.url.replace('//', '//:geheim@') }).catch(String)
    expect(wrong).toMatch(/REDIS_URL is set, but Redis cannot be reached/)
    expect(`${refused}${wrong}`).not.toContain('geheim')
    await expect(open(own.url.replace('//', '//:right@'))).resolves.toBeDefined()
  })

  test('advice names what would lose data one day', async () => {
    expect(await (await open(server.url)).advice()).toEqual([])
    const forgetful = await serve(['--save', '', '--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru'])
    const advice = await (await open(forgetful.url)).advice()
    expect(advice).toEqual([expect.stringContaining('noeviction'), expect.stringContaining('append-only')])
  })

  test('a Cluster serves the store on one of its nodes', async () => {
    const node = await serve([...durable, '--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'])
    const redis = new Redis(node.url)
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    while (!String(await redis.call('CLUSTER', 'INFO')).includes('cluster_state:ok')) await sleep(20)
    redis.disconnect()
    const store = await open(`redis+cluster://127.0.0.1:${node.port},127.0.0.1:${await freePort()}`)
    await expectWorking(store)
    await node.kill()
    await expect(store.ping()).rejects.toThrow()
    await node.start()
    await untilAnswering(store)
    expect(await textOf(store, 'done:chat:1')).toBe('update;')
  })

  test('Sentinels name the master', async () => {
    const master = await serve()
    const sentinel = await serve(['--sentinel'])
    const redis = new Redis({ port: sentinel.port })
    await redis.call('SENTINEL', 'MONITOR', 'mymaster', '127.0.0.1', String(master.port), '1')
    redis.disconnect()
    await expectWorking(await open(`redis+sentinel://127.0.0.1:${sentinel.port}/mymaster`))
  })
})

async function expectWorking(store: Store): Promise<void> {
  await store.ping()
  await store.put({ key: 'one', value: Buffer.from('1') }, null)
  await store.put({ key: 'two', value: Buffer.from('2') }, null)
  expect((await store.read(['one', 'two'])).map((entry) => entry?.value.toString())).toEqual(['1', '2'])
  await store.post(post('chat:1', 'update'))
  expect(await appendHandled(store, minute)).toBe('update')
  expect(await store.advice()).toEqual([])
}

async function untilAnswering(store: Store): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const answers = await store.ping().then(
      () => true,
      () => false,
    )
    if (answers) return
    await sleep(20)
  }
  throw new Error('the store does not come back')
}
