import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe } from 'vitest'
import { findRedisServer, freePort, type RedisServer, startRedis } from '../storage/redis-server.ts'
import { until } from '../until.ts'
import { createBotProcess } from './bot-process.ts'
import { DELIVERED, describeCrashes, meet, withoutSms } from './crashes.ts'
import { story } from './world.ts'

const program = findRedisServer()
const test20 = { testId: 'sleep-20', testsAuthRequired: false }

describe.skipIf(!program)('with a real redis-server', () => {
  let shared: RedisServer
  let databases = 0
  const own: RedisServer[] = []

  beforeAll(async () => {
    shared = await startRedis(program ?? '')
  })
  afterAll(() => Promise.all([shared, ...own].map((server) => server.remove())))

  const on = ({ url }: RedisServer, database = 0) => ({
    REDIS_URL: `${url}/${database}`,
    DATA_KEY: randomBytes(32).toString('base64'),
  })

  /** A server for one story, which will harm it. */
  async function serve(): Promise<RedisServer> {
    const server = await startRedis(program ?? '')
    own.push(server)
    return server
  }

  story('a server that was killed can still be removed', async ({ expect }) => {
    const redis = await serve()
    await redis.kill()
    await redis.remove()
    expect(existsSync(redis.dir)).toBe(false)
  })

  story('Redis hangs for seconds: the webhook answers 503 and nothing is lost', async ({ open, expect }) => {
    const redis = await serve()
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/telegram`
    const environment = { ...on(redis), PORT: String(port), WEBHOOK_URL: url, WEBHOOK_SECRET: 'of-the-test' }
    const world = await open({ environment })
    const zahra = meet(world, test20)
    await zahra.goesOnUntil(() => zahra.chosen.length >= 5)
    const readiness = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status
    const outage = async () => {
      redis.freeze()
      const message = { message_id: 1, date: 0, chat: { id: 9, type: 'private' }, text: '?' }
      const refused = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': 'of-the-test' },
        body: JSON.stringify({ update_id: 1, message }),
      })
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toBe('5')
      expect(await readiness()).toBe(503)
      redis.thaw()
    }
    await Promise.all([zahra.goesOnUntil(() => zahra.result.documents > 0), outage()])
    expect(zahra.accepted).toEqual([zahra.chosen])
    expect(await readiness()).toBe(200)
  })

  // A message in work waits for the lease of its dead process, so there are fewer kills than elsewhere.
  describeCrashes('Redis', {
    environment: () => on(shared, databases++),
    dialogSteps: [3],
    parts: ['sendMessage'],
  })

  story('Redis itself is killed while answers stream in: all answers arrive', async ({ open, expect }) => {
    const redis = await serve()
    const world = await open({ environment: on(redis) })
    const zahra = meet(world, test20)
    const kills = async () => {
      for (const at of [3, 9, 15]) {
        await until(() => zahra.chosen.length >= at, world)
        await redis.kill()
        const taken = zahra.stepsTaken
        await until(() => zahra.stepsTaken > taken, world)
        await redis.start()
      }
    }
    await Promise.all([zahra.goesOnUntil(() => zahra.result.documents > 0), kills()])
    expect(zahra.accepted).toEqual([zahra.chosen])
    expect(zahra.result).toEqual(DELIVERED)
  })

  story('Redis is away while a result is delivered: no part comes twice', async ({ open, expect }) => {
    const redis = await serve()
    const world = await open({ environment: on(redis) })
    const zahra = meet(world, withoutSms)
    const away = world.emulator.fault({
      kind: 'delay',
      ms: 100,
      method: 'sendPhoto',
      when: () => Boolean(redis.kill()),
    })
    await zahra.goesOnUntil(() => away.hits === 1)
    const address = await world.bot.address()
    await until(async () => (await fetch(`${address}/readyz`)).status === 503, world)
    await redis.start()
    await until(() => zahra.result.documents > 0, world)
    expect(zahra.result).toEqual(DELIVERED)
  })
  story(
    'of two polling bots one takes over when the other one is killed, stopped or frozen',
    async ({ open, program: entry, onTestFinished, expect }) => {
      const world = await open({ environment: on(shared, databases++) })
      const { bot: first, emulator, env } = world
      const second = createBotProcess(entry, env)
      onTestFinished(() => second.kill())
      const person = emulator.person()
      const refused = () => [first, second].flatMap((bot) => bot.lines().filter(({ level }) => level === 50))
      const commands = ['/help', '/privacy', '/language', '/tests', '/start']
      // Another command each time: an answer may come twice, from the killed bot and from the next.
      const isAnswered = async () => {
        person.say(commands.shift() ?? '')
        const known = new Set(person.messages.map(({ text }) => text))
        await until(() => person.messages.some(({ text }) => !known.has(text)), world)
      }
      first.start()
      await first.ready()
      second.start()
      await second.ready() // it stands by
      await isAnswered()
      await first.kill()
      await isAnswered()
      first.start()
      await first.ready()
      expect(await second.stop()).toEqual({ code: 0, signal: null })
      await isAnswered()
      second.start()
      await second.ready()
      first.freeze()
      await isAnswered()
      first.thaw()
      await isAnswered()
      expect(refused()).toEqual([])
    },
  )

  story(
    'an emptied Redis is not used and is reported once, until it is put back',
    async ({ open, expect, onTestFinished }) => {
      const redis = await serve()
      const OPERATOR = 4_711
      const world = await open({ environment: { ...on(redis), OPERATORS: String(OPERATOR) } })
      const operator = world.emulator.person({ id: OPERATOR })
      operator.start()
      const zahra = meet(world, withoutSms)
      await zahra.goesOnUntil(() => zahra.chosen.length >= 3)
      await world.emulator.settled()
      const address = await world.bot.address()
      const becomes = (status: number) =>
        until(async () => (await fetch(`${address}/readyz`)).status === status, {
          ...world,
          timeoutMs: 40_000,
        })
      const client = new Redis(redis.url)
      onTestFinished(() => client.disconnect())
      const names = await client.keys('*')
      const kept = await Promise.all(
        names.map(async (name) => [name, await client.dumpBuffer(name)] as const),
      )
      await client.flushall()
      await becomes(503)
      const other = world.emulator.person()
      other.start(`record_${zahra.token}`)
      const told = () => operator.transcript().match(/محل نگه‌داری/g)?.length ?? 0
      await until(() => told() === 1, { ...world, timeoutMs: 60_000 })
      expect([await client.exists('{porsa}keyring'), other.messages.length]).toEqual([0, 1])
      const lines = world.bot.lines().filter((line) => JSON.stringify(line).includes('without its keyring'))
      expect(lines.filter(({ msg }) => msg === 'does not work')).toHaveLength(1)
      expect(lines.length).toBeLessThan(12)
      for (const [name, value] of kept) await client.restore(name, 0, value, 'REPLACE')
      await becomes(200)
      await until(() => told() === 2, { ...world, timeoutMs: 60_000 })
      await until(() => other.messages.length > 1, world)
      expect(other.transcript()).not.toContain('begin:')
      await zahra.goesOnUntil(() => zahra.result.documents > 0)
      expect(zahra.accepted).toEqual([zahra.chosen])
    },
  )

  story('a second bot is refused where another bot has the Redis', async ({ open, expect }) => {
    const shared = on(await serve())
    const world = await open({ environment: shared })
    world.bot.start()
    await world.bot.ready()
    const other = await open({ environment: shared, emulator: { token: '4242:other' } })
    other.bot.start()
    expect((await other.bot.exit()).code).toBe(1)
    expect(other.bot.output.stderr).toMatch(/^REDIS_URL has the store of another bot: .*redis:\/\/…\/1/)
  })

  story('a Redis that is replaced by another one stops the bot with a message', async ({ open, expect }) => {
    const redis = await serve()
    const world = await open({ environment: on(redis) })
    world.bot.start()
    await world.bot.ready()
    const client = new Redis(redis.url)
    await client.flushall()
    const stranger = await open({ environment: on(redis) })
    stranger.bot.start()
    client.disconnect()
    const address = await world.bot.address()
    const look = setInterval(() => void fetch(`${address}/readyz`).catch(() => undefined), 100)
    expect((await world.bot.exit()).code).toBe(1)
    clearInterval(look)
    expect(world.bot.output.stderr).toMatch(/^DATA_KEY does not open this store/)
  })
})
