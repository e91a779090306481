import { Redis } from 'ioredis'
import { test as base, describe, expect, type TestAPI } from 'vitest'
import { createRedisStore } from '../../src/storage/redis.ts'
import { adviceFor } from '../../src/storage/redis-server.ts'
import type { Store } from '../../src/storage/store.ts'
import { until } from '../until.ts'
import { appendHandled } from './child-work.ts'
import { expectNoPersonalData, keepPersonalData } from './contract-secrecy.ts'
import { durable, findRedisServer, freePort, type RedisServer, startRedis } from './redis-server.ts'
import { KINDS, minute, post, textOf } from './worlds.ts'

const program = findRedisServer()

type Fixtures = {
  serve: (args?: readonly string[]) => Promise<RedisServer>
  open: (url: string) => Promise<Store>
}

const extended: TestAPI<Fixtures> = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern
  serve: async ({}, use) => {
    const servers: RedisServer[] = []
    await use(async (args = durable) => {
      const server = await startRedis(program ?? '', args)
      servers.push(server)
      return server
    })
    await Promise.all(servers.map((server) => server.remove()))
  },
  // biome-ignore lint/correctness/noEmptyPattern: the same
  open: async ({}, use) => {
    const stores: Store[] = []
    await use(async (url) => {
      const store = await createRedisStore({ url })
      stores.push(store)
      return store
    })
    await Promise.all(stores.map((store) => store.close()))
  },
})

/** Each test has a server of its own, so they run side by side: they mostly wait. */
const story = extended.concurrent

describe.skipIf(!program)('with Redis servers of their own', () => {
  story('the files have no personal data in plain text', async ({ serve, open }) => {
    const own = await serve()
    const store = await open(own.url)
    await keepPersonalData(store)
    const redis = new Redis(own.url)
    await redis.save()
    redis.disconnect()
    await expectNoPersonalData(own.dir)
  })

  story(
    'a Redis killed and started again in the middle of the work loses and doubles nothing',
    async ({ serve, open }) => {
      const own = await serve()
      const store = await open(own.url)
      const ids = Array.from({ length: 150 }, (_, number) => `m${number}`)
      for (const id of ids) await store.post(post('chat:1', id))
      const all = ids.map((id) => `${id};`).join('')
      let handled = 0
      let failures = 0
      const work = until(async () => {
        try {
          if (await appendHandled(store, 50)) handled += 1
          return (await textOf(store, 'done:chat:1'))?.endsWith(`${ids.at(-1)};`) ?? false
        } catch {
          failures += 1
          return false
        }
      })
      // After a short outage commands are sent again, after a longer one they fail.
      await until(() => handled >= 30)
      await own.kill()
      await own.start()
      await until(() => handled >= 60)
      await own.kill()
      const before = failures
      await until(() => failures > before)
      await own.start()
      await work
      expect(await textOf(store, 'done:chat:1')).toBe(all)
    },
  )

  story(
    'while Redis is away or hangs every operation fails within seconds, and then works again',
    async ({ serve, open }) => {
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
      await Promise.all([
        expect(store.ping()).rejects.toThrow(),
        expect(store.claim(minute, KINDS)).rejects.toThrow(),
      ])
      own.thaw()
      await untilAnswering(store)
      expect(await textOf(store, 'draft:1')).toBe('kept')
    },
  )

  story(
    'a commit that Redis carried out before its reply was lost is answered as done when repeated',
    async ({ serve, open }) => {
      const own = await serve()
      const store = await open(own.url)
      await store.post(post('chat:1', 'update'))
      const claim = await store.claim(minute, KINDS)
      if (!claim) throw new Error('nothing to claim')
      const commit = { id: 'one', posts: [post('job:1', 'own', { once: true })] }
      own.freeze()
      await expect(store.commit(claim, commit)).rejects.toThrow()
      own.thaw()
      await untilAnswering(store)
      expect(await store.claim(minute, KINDS)).toMatchObject({ actor: 'job:1' })
      expect(await store.commit(claim, commit)).toBe('ok')
      expect(await store.claim(minute, KINDS)).toBeUndefined()
    },
  )

  story(
    'an unreachable Redis or a wrong password is refused at the start, without secrets',
    async ({ serve, open }) => {
      const port = await freePort()
      const refused = await createRedisStore({ url: `redis://user:geheim@127.0.0.1:${port}` }).catch(String)
      expect(refused).toMatch(/REDIS_URL is set, but Redis cannot be reached \(ECONNREFUSED\)/)
      const own = await serve([...durable, '--requirepass', 'right'])
      const wrong = await createRedisStore({ url: own.url.replace('//', '//:geheim@') }).catch(String)
      expect(wrong).toMatch(/REDIS_URL is set, but Redis cannot be reached/)
      expect(`${refused}${wrong}`).not.toContain('geheim')
      await expect(open(own.url.replace('//', '//:right@'))).resolves.toBeDefined()
    },
  )

  story('the advice names settings that would lose data', async ({ serve, open }) => {
    expect(await (await open((await serve()).url)).advice()).toEqual([])
    const forgetful = await serve(['--save', '', '--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru'])
    const advice = await (await open(forgetful.url)).advice()
    expect(advice).toEqual([expect.stringContaining('noeviction'), expect.stringContaining('append-only')])
  })

  base.each([
    ['6.0.16', ['Redis is older than 6.2: update it']],
    ['5.10.0', ['Redis is older than 6.2: update it']],
    ['6.2.0', []],
    ['7.0.1', []],
  ])('for Redis %s the advice is %j', async (version, advice) => {
    const info = `redis_version:${version}\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\n`
    expect(await adviceFor({ info: async () => info } as never)).toEqual(advice)
  })

  story('a Cluster serves the store on one of its nodes', async ({ serve, open }) => {
    const node = await serve([...durable, '--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'])
    const redis = new Redis(node.url)
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await until(async () => String(await redis.call('CLUSTER', 'INFO')).includes('cluster_state:ok'))
    redis.disconnect()
    const store = await open(`redis+cluster://127.0.0.1:${node.port},127.0.0.1:${await freePort()}`)
    await expectWorking(store)
    await node.kill()
    await expect(store.ping()).rejects.toThrow()
    await node.start()
    await untilAnswering(store)
    expect(await textOf(store, 'done:chat:1')).toBe('update;')
  })

  story('Sentinels name the master', async ({ serve, open }) => {
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

const untilAnswering = (store: Store) =>
  until(() =>
    store.ping().then(
      () => true,
      () => false,
    ),
  )
