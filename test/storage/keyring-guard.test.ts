import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, test } from 'vitest'
import type { Config } from '../../src/config.ts'
import { encodeAttempt, openAttempt } from '../../src/domain/attempt-layout.ts'
import { openStorage, type Storage } from '../../src/open-storage.ts'
import { openBody, sealBody } from '../../src/storage/documents.ts'
import { attemptOf } from './moves.ts'
import { findRedisServer, type RedisServer, startRedis } from './redis-server.ts'
import { KINDS, minute } from './worlds.ts'

const program = findRedisServer()
const actor = 'chat:somebody'

describe.skipIf(!program)('the keyring in a real Redis', () => {
  const servers: RedisServer[] = []
  const opened: Storage[] = []

  async function serve(): Promise<RedisServer> {
    const server = await startRedis(program ?? '')
    servers.push(server)
    return server
  }

  /** A process of the bot, with its alarms. */
  async function open({ url }: RedisServer, ...dataKeys: Buffer[]) {
    const alarms: string[] = []
    const onAlarm = (problem: string) => alarms.push(problem)
    const storage = await openStorage({ redisUrl: url, dataKeys } as unknown as Config, { onAlarm })
    opened.push(storage)
    return { ...storage, alarms }
  }

  const say = ({ store, vault }: Storage, text: string) =>
    store.post({ actor, id: `${text}${Math.random()}`, body: sealBody(vault, actor, text) })

  async function hear({ store, vault }: Storage): Promise<unknown> {
    const claim = await store.claim(minute, KINDS)
    if (!claim) return undefined
    await store.commit(claim, {})
    return openBody(vault, actor, claim.message.body)
  }

  async function redo<T>({ url }: RedisServer, use: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(url)
    const result = await use(redis)
    redis.disconnect()
    return result
  }

  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ store }) => store.close()))
    await Promise.all(servers.splice(0).map((server) => server.remove()))
  })

  test('a value written with a newer data key is opened by a process that started before', async () => {
    const server = await serve()
    const [old, fresh] = [randomBytes(32), randomBytes(32)]
    const first = await open(server, old, fresh)
    await say(first, 'before')
    const second = await open(server, fresh, old)
    expect(second.vault.dataKey).toBe(first.vault.dataKey + 1)
    for (const text of ['one', 'two']) await say(second, text)
    expect([await hear(first), await hear(first), await hear(first)]).toEqual(['before', 'one', 'two'])
    expect(first.vault.dataKey).toBe(second.vault.dataKey)

    // Again, at once, with a key number that was unknown a moment ago.
    const third = await open(server, old, fresh)
    await say(third, 'three')
    const fourth = await open(server, fresh, old)
    await say(fourth, 'four')
    expect([await hear(first), await hear(first)]).toEqual(['three', 'four'])
    expect([first, second].flatMap(({ alarms }) => alarms)).toEqual([])
  })

  test('documents and attempts under a newer data key are opened too', async () => {
    const server = await serve()
    const [old, fresh] = [randomBytes(32), randomBytes(32)]
    const readers = [await open(server, old, fresh), await open(server, old, fresh)]
    const { store, vault } = await open(server, fresh, old)
    await store.put({ key: 'r:1', value: vault.seal('r:1', Buffer.from('kept')) }, null)
    const attempt = { ...openAttempt(attemptOf(3)), dataKey: vault.dataKey }
    await store.put({ key: 's:1', value: encodeAttempt(attempt) }, null)
    const answer = { question: 0, revision: 1, option: 2 }
    const [one, other] = readers
    const [document] = (await one?.store.read(['r:1'])) ?? []
    expect(document && one?.vault.open('r:1', document.value).toString()).toBe('kept')
    await other?.store.read(['s:1'])
    expect(other?.vault.attemptCipher.encryptAnswer(attempt, answer)).toEqual(
      vault.attemptCipher.encryptAnswer(attempt, answer),
    )
  })

  /** No operation works, not even one without a value. */
  async function expectNothingDone(one: Storage): Promise<void> {
    const { store } = one
    for (const use of [
      () => store.ping(),
      () => say(one, 'lost'),
      () => hear(one),
      () => store.read(['r:1']),
    ])
      await expect(use()).rejects.toThrow('without its keyring')
  }

  test('an emptied Redis is not used by a process that knew it until it is restored', async () => {
    const server = await serve()
    const dataKey = randomBytes(32)
    const [one, other] = [await open(server, dataKey), await open(server, dataKey)]
    await say(one, 'before')
    const keys = await redo(server, async (redis) => {
      const names = await redis.keys('*')
      return Promise.all(names.map(async (name) => [name, await redis.dumpBuffer(name)] as const))
    })
    await redo(server, (redis) => redis.flushall())
    for (const each of [one, other]) await expectNothingDone(each)
    expect(await redo(server, (redis) => redis.exists('{porsa}keyring'))).toBe(0)
    await redo(server, async (redis) => {
      for (const [name, value] of keys) await redis.restore(name, 0, value, 'REPLACE')
    })
    await Promise.all([one.store.ping(), other.store.ping()])
    expect(await hear(other)).toBe('before')
    expect([...one.alarms, ...other.alarms]).toEqual([])
  })

  test('a Redis started without its files is noticed before it is used again', async () => {
    const server = await serve()
    const one = await open(server, randomBytes(32))
    await server.kill()
    await rm(join(server.dir, 'appendonlydir'), { recursive: true })
    await server.start()
    const why = () => say(one, 'lost').catch(({ message }: Error) => message)
    await expect.poll(why, { timeout: 10_000 }).toMatch('without its keyring')
    await expectNothingDone(one)
    const names = await redo(server, (redis) => redis.keys('*'))
    expect(names.filter((name) => !name.endsWith('#ping'))).toEqual([])
  })

  test('processes that start together on an empty Redis, or on one emptied meanwhile, agree on a keyring', async () => {
    const server = await serve()
    const dataKey = randomBytes(32)
    for (const said of ['first', 'again']) {
      const begun = await Promise.all([1, 2, 3].map(() => open(server, dataKey)))
      const [one, other] = begun
      if (!one || !other) throw new Error('nobody began')
      await say(one, said)
      expect(await hear(other)).toBe(said)
      expect(new Set(begun.map(({ vault }) => vault.hash('account', '1'))).size).toBe(1)
      await Promise.all(opened.splice(0).map(({ store }) => store.close()))
      await redo(server, (redis) => redis.flushall())
    }
  })

  test('an older keyring gets back the keys that were added since', async () => {
    const server = await serve()
    const [old, fresh] = [randomBytes(32), randomBytes(32)]
    await open(server, old)
    const backup = await redo(server, (redis) => redis.dumpBuffer('{porsa}keyring'))
    const one = await open(server, fresh, old)
    await say(one, 'under the new key')
    await redo(server, (redis) => redis.restore('{porsa}keyring', 0, backup, 'REPLACE'))
    await one.store.ping()
    expect(one.alarms).toHaveLength(1)
    // It stays wrapped as in the backup; the next process to start wraps it again.
    const later = await open(server, fresh, old)
    expect(later.vault.dataKey).toBe(one.vault.dataKey + 1)
    expect(await hear(later)).toBe('under the new key')
  })

  test.each(['its own data key', 'another data key'])(
    'the keyring of another bot, under %s, stops this one',
    async (under) => {
      const server = await serve()
      const dataKey = randomBytes(32)
      const one = await open(server, dataKey)
      await say(one, 'under way')
      const claim = await one.store.claim(minute, KINDS)
      if (!claim) throw new Error('nothing to claim')
      await redo(server, (redis) => redis.flushall())
      const other = await open(server, under === 'its own data key' ? dataKey : randomBytes(32))
      await say(other, 'not for you')
      await expect(one.store.ping()).rejects.toThrow()
      expect((await one.failed).message).toMatch(/keyring of another|DATA_KEY does not open/)
      await expect(one.store.claim(minute, KINDS)).rejects.toThrow()
      await expect(one.store.begin(claim, minute)).rejects.toThrow()
      await expect(one.store.commit(claim, {})).rejects.toThrow()
      await expect(say(one, 'lost')).rejects.toThrow()
      expect(await hear(other)).toBe('not for you')
      expect(await hear(other)).toBeUndefined()
      expect(one.alarms).toEqual([])
    },
  )

  test('a Redis that comes back as another one is noticed by the connection alone', async () => {
    const [server, foreign] = [await serve(), await serve()]
    const one = await open(server, randomBytes(32))
    await open(foreign, randomBytes(32))
    const backup = await redo(foreign, (redis) => redis.dumpBuffer('{porsa}keyring'))
    await redo(server, (redis) => redis.restore('{porsa}keyring', 0, backup, 'REPLACE'))
    await server.kill()
    await server.start()
    await expect(one.failed).resolves.toBeInstanceOf(Error)
  })
})
