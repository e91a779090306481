import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { Update } from 'grammy/types'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { openStorage } from '../../src/open-storage.ts'
import { ENVELOPE_BYTES, openEnvelope } from '../../src/storage/redis-scripts.ts'
import { findRedisServer, type RedisServer, startRedis } from '../storage/redis-server.ts'
import { until } from '../until.ts'
import { ZAHRA } from '../usual-way.ts'
import { foundIn, type Sought, sought, soughtOfUpdates } from './dictionary.ts'
import { createParticipant } from './participant.ts'
import { listenOnWire, standBefore } from './recording.ts'
import { type ProcessWorld, story } from './world.ts'

const CODE = '7351948206'
const OPTION = 2
const TITLE = 'حال من و چرخهٔ ماهانه'
const sandbox = { newCode: () => CODE }
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** What any thief can take, by the name of the place. */
type Loot = Map<string, Buffer>

/** Every file below a folder, without the key, which lies beside the data. */
async function filesIn(dir: string): Promise<Buffer> {
  const files = await readdir(dir, { recursive: true, withFileTypes: true })
  const wanted = files.filter((file) => file.isFile() && !file.name.endsWith('.key'))
  return Buffer.concat(
    await Promise.all(wanted.map(({ parentPath, name }) => readFile(join(parentPath, name)))),
  )
}

const withPicture = (path: string, body: Buffer): Buffer | undefined => {
  if (!path.includes('/questions')) return undefined
  const reply = JSON.parse(body.toString())
  const questions = reply.data?.questions ?? reply.data?.sections?.[0]?.questions
  if (!questions?.[0]) return undefined
  questions[0].image = `data:image/png;base64,${PIXEL.toString('base64')}`
  return Buffer.from(JSON.stringify(reply))
}

/** The world of a theft: all traffic of the bot is heard, and its files can be taken at any moment. */
async function plan(world: ProcessWorld, environment: Record<string, string>) {
  const { env, dir } = world
  const updates: Update[] = []
  const events: string[] = []
  const telegram = await standBefore(env.TELEGRAM_API_ROOT ?? '', (path, body) => {
    if (path.endsWith('/getUpdates')) updates.push(...(JSON.parse(body.toString()).result ?? []))
    return undefined
  })
  const service = await standBefore(env.SERVICE_URL ?? '', withPicture)
  const listener = createServer(async (request, response) => {
    let body = JSON.stringify(request.headers)
    for await (const chunk of request) body += chunk
    events.push(body)
    response.writeHead(200).end()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  const temporary = join(dir, 'tmp')
  await mkdir(temporary)
  const changes = {
    LOG_LEVEL: 'trace',
    TMPDIR: temporary,
    ORGANIZERS: '900',
    TELEGRAM_API_ROOT: telegram.url,
    SERVICE_URL: `${service.url}/v2`,
    EVENTS_URL: `http://127.0.0.1:${port}/`,
    EVENTS_SECRET: 'only-between-the-two',
    ...environment,
  }
  Object.assign(env, changes)
  const close = () => [telegram, service].forEach((each) => void each.close()) ?? listener.close()
  return { updates, events, temporary, close }
}

/** Goes to the result, always with the same option; `takes` is called where something new is kept. */
async function walks(world: ProcessWorld, takes: () => Promise<void>) {
  const token = world.sandbox.addRecord({ testId: 'women-16', testsAuthRequired: true })
  const { emulator, bot, explain, chance } = world
  emulator.person({ id: 900, firstName: 'مدیر' }).start()
  const zahra = createParticipant({
    sandbox: world.sandbox,
    person: emulator.person(),
    token,
    explain,
    chance,
  })
  zahra.always(OPTION)
  bot.start()
  void zahra.opens()
  for (const place of ['mobile', 'code', 'review'] as const) {
    await zahra.goesOnUntil(() => zahra.place === place)
    await takes()
  }
  await zahra.goesOnUntil(() => zahra.result.documents > 0)
  await takes()
  return zahra
}

/** What must not be found without the key: personal data, what was sent, and the bot's secrets. */
function dictionaryOf(
  world: ProcessWorld,
  zahra: Awaited<ReturnType<typeof walks>>,
  updates: readonly Update[],
) {
  const { env } = world
  const [profile] = Object.values(world.sandbox.snapshot().profiles)
  const personal = {
    ...{ name: ZAHRA.name, first: 'زهرا', last: 'محمدی', code: CODE, answer: '"q7o3"' },
    ...{ mobile: ZAHRA.mobile, international: `98${ZAHRA.mobile.slice(1)}`, bare: ZAHRA.mobile.slice(1) },
    ...{ persian: '۰۹۱۲۳۴۵۶۷۸۹', birth: ZAHRA.iso, typed: ZAHRA.typedBirth, compact: '13750512' },
    ...{
      account: String(zahra.person.id),
      called: zahra.person.state.firstName,
      case: profile?.caseNumber ?? '',
    },
  }
  const data = env.DATA_KEY ?? readFileSync(`${env.DATA_DIR}.key`, 'utf8').trim()
  const secrets = { bot: env.BOT_TOKEN, key: env.SERVICE_KEY, data, events: env.EVENTS_SECRET }
  const entries = (of: object) =>
    Object.entries(of).flatMap(([what, text]) => (text ? [sought(what, text)] : []))
  return {
    personal: entries(personal),
    token: entries({ token: zahra.token }),
    rest: [
      ...entries({ ...secrets, title: TITLE, score: 'نمره' }),
      { what: 'all answers', forms: [Buffer.alloc(zahra.chosen.length, OPTION)] },
      ...soughtOfUpdates(updates),
      sought('picture', PIXEL),
      sought('picture in base64', PIXEL.toString('base64')),
    ],
  }
}

/** Nothing of it appears in the loot; only the events have the token, for their receiver. */
function findsNothing(loot: Loot, { personal, token, rest }: ReturnType<typeof dictionaryOf>): void {
  const found = [...loot].flatMap(([place, bytes]) => {
    expect(bytes.length, place).toBeGreaterThan(0)
    const dictionary = [...personal, ...rest, ...(place === 'events' ? [] : token)]
    return foundIn(dictionary, bytes).map((what) => `${place}: ${what}`)
  })
  expect(found).toEqual([])
}

/** All that opens with the key: the values of the store and the messages of its queues. */
async function openedOf(world: ProcessWorld): Promise<Buffer> {
  const loaded = loadConfig({ ...world.env })
  if (!loaded.ok) throw new Error('not a configuration')
  const { config } = loaded
  const { store, vault } = await openStorage(config)
  const opened: Buffer[] = []
  const open = (names: readonly string[], sealed: Buffer) => {
    for (const name of names)
      try {
        opened.push(vault.open(name, sealed))
      } catch {
        // Not sealed under this name.
      }
  }
  if (config.redisUrl) {
    const redis = new Redis(config.redisUrl)
    for (const key of await redis.keys('{porsa}*')) {
      const name = key.slice('{porsa}'.length)
      if (name.startsWith('#q:'))
        for (const message of await redis.lrangeBuffer(key, 0, -1))
          for (let at = 12; at < message.length; at += 1) open([name.slice(3)], message.subarray(at))
      else if (!name.startsWith('#')) {
        const stored = await redis.getBuffer(key).catch(() => null)
        const version = openEnvelope(stored, 0)?.version
        open([name, `${name}@${version}`], stored?.subarray(ENVELOPE_BYTES) ?? Buffer.alloc(0))
      }
    }
    redis.disconnect()
  } else {
    const db = new DatabaseSync(join(config.dataDir, 'porsa.db'))
    for (const row of db.prepare('SELECT key, value, version FROM entry').all()) {
      const { key, value, version } = row as { key: string; value: Uint8Array; version: string }
      open([key, `${key}@${version}`], Buffer.from(value))
    }
    for (const row of db.prepare('SELECT actor, body FROM message').all()) {
      const { actor, body } = row as { actor: string; body: Uint8Array }
      open([actor], Buffer.from(body))
    }
    db.close()
  }
  await store.close()
  return Buffer.concat(opened)
}

/** What the process itself shows. */
async function told(world: ProcessWorld): Promise<Buffer> {
  const address = await world.bot.address()
  const pages = ['/metrics', '/readyz', '/healthz'].map(async (path) => (await fetch(address + path)).text())
  return Buffer.from((await Promise.all(pages)).join('\n'))
}

/** Takes all there is: without the key it shows nothing; after `/forget` nothing personal even with it. */
async function steals(
  world: ProcessWorld,
  environment: Record<string, string>,
  store: { take(): Promise<Loot> },
): Promise<void> {
  const theft = await plan(world, environment)
  try {
    const loot: Loot = new Map()
    const add = (place: string, bytes: Buffer) =>
      void loot.set(place, Buffer.concat([loot.get(place) ?? Buffer.alloc(0), bytes]))
    const takes = async () => {
      for (const [place, bytes] of await store.take()) add(place, bytes)
    }
    const zahra = await walks(world, takes)
    add('metrics', await told(world))
    const dictionary = dictionaryOf(world, zahra, theft.updates)
    expect(theft.updates.length).toBeGreaterThan(20)
    expect(foundIn(dictionary.personal, await openedOfCopy(world))).not.toEqual([])

    await zahra.says('/forget')
    await until(() => zahra.offers('forget:yes'), world)
    await zahra.taps('forget:yes')
    await until(() => !zahra.offers('forget:yes'), world)
    // The questions of a test are not personal.
    const hers = dictionary.personal.filter(({ what }) => what !== 'answer')
    // A job that was queued for her ends in time, and has her chat until then.
    await until(async () => foundIn(hers, await openedOfCopy(world)).length === 0, world)
    await until(() => theft.events.length >= 4, world)
    await world.bot.stop()
    await takes()
    add('events', Buffer.from(theft.events.join('\n')))
    add('log', Buffer.from(world.bot.output.stdout + world.bot.output.stderr))
    add('temporary files', Buffer.concat([Buffer.from(' '), await filesIn(theft.temporary)]))
    const all = { ...dictionary, rest: [...dictionary.rest, ...soughtOfUpdates(theft.updates)] }
    findsNothing(loot, all)
    // The loot really has the store, and the log of a whole test.
    expect([...loot.values()].some((bytes) => bytes.includes('keyring'))).toBe(true)
    expect(world.bot.output.stdout).toContain('submitAnswers')
    expect(foundIn(hers, await openedOf(world))).toEqual([])
  } finally {
    await world.bot.kill()
    theft.close()
  }
}

/** The opened store, to prove that the key opens it before `/forget`. */
const openedOfCopy = async (world: ProcessWorld): Promise<Buffer> => {
  if (world.env.REDIS_URL) return openedOf(world)
  const copy = join(world.dir, 'copy')
  await rm(copy, { recursive: true, force: true })
  await cp(world.env.DATA_DIR ?? '', copy, { recursive: true })
  const env = { ...world.env, DATA_DIR: copy, DATA_KEY_FILE: `${world.env.DATA_DIR}.key` }
  return openedOf({ ...world, env })
}

const planted: Sought[] = [
  sought('name', ZAHRA.name),
  ...soughtOfUpdates([{ update_id: 7, inline_query: { id: '1', query: ZAHRA.mobile } } as Update]),
]

story('a leak is found in every form in which it was planted', async ({ expect }) => {
  for (const { what, forms } of planted)
    for (const form of forms)
      expect(foundIn(planted, Buffer.concat([Buffer.from('before'), form, Buffer.from('after')]))).toContain(
        what,
      )
  expect(foundIn(planted, randomBytes(100_000))).toEqual([])
})

story('a thief of the file, a backup, logs, metrics and events finds nothing', async ({ open }) => {
  const world = await open({ sandbox })
  const data = world.env.DATA_DIR ?? ''
  let backups = 0
  await steals(
    world,
    {},
    {
      async take() {
        const backup = join(world.dir, `backup-${backups++}`)
        await mkdir(backup)
        const db = new DatabaseSync(join(data, 'porsa.db'))
        db.exec(`VACUUM INTO '${join(backup, 'porsa.db')}'`)
        db.close()
        return new Map([
          ['store', await filesIn(data)],
          ['backup', await filesIn(backup)],
        ])
      },
    },
  )
})

describe.skipIf(!findRedisServer())('with a real redis-server', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis(findRedisServer() ?? '')
  })
  afterAll(() => redis.remove())

  story('a thief of the dump of Redis, or of the wire to it, finds nothing', async ({ open }) => {
    const world = await open({ sandbox })
    const wire = await listenOnWire(Number(new URL(redis.url).port))
    const environment = {
      REDIS_URL: `redis://127.0.0.1:${wire.port}`,
      DATA_KEY: randomBytes(32).toString('base64'),
    }
    await steals(world, environment, {
      async take() {
        const client = new Redis(redis.url)
        await client.save()
        client.disconnect()
        // The append-only file has every command since the start.
        return new Map([
          ['dump and append-only file', await filesIn(redis.dir)],
          ['wire to Redis', wire.heard()],
        ])
      },
    })
    wire.close()
  })
})
