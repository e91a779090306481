import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { findRedisServer, type RedisServer, startRedis } from '../storage/redis-server.ts'
import { ZAHRA } from '../usual-way.ts'
import { DELIVERED, meet } from './crashes.ts'
import { type ProcessWorld, story } from './world.ts'

const program = findRedisServer()
/** As long as a code may be, and in no time stamp: what is short stands in any file by chance. */
const CODE = '7351948206'
const TITLE = 'حال من و چرخهٔ ماهانه'
const OPTION = 2
const ALL_ANSWERED = Buffer.alloc(16, OPTION)
const sandbox = { newCode: () => CODE }

let redis: RedisServer | undefined
beforeAll(async () => {
  if (program) redis = await startRedis(program)
})
afterAll(() => redis?.remove())

/** Goes through a whole test, every time with the same option, and tells what nobody else may ever read of it. */
async function walkThrough(world: ProcessWorld): Promise<string[]> {
  const zahra = meet(world, { testId: 'women-16', testsAuthRequired: true })
  zahra.always(OPTION)
  await zahra.goesOnUntil(() => zahra.result.documents > 0)
  if (zahra.result.texts !== DELIVERED.texts) throw new Error(world.explain())
  await world.bot.stop()
  const { env } = world
  const { person, token } = zahra
  const [profile] = Object.values(world.sandbox.snapshot().profiles)
  return [
    ...ZAHRA.name.split(' '),
    ZAHRA.mobile.slice(1),
    '۹۱۲۳۴۵۶۷۸۹',
    ZAHRA.typedBirth,
    ZAHRA.iso,
    CODE,
    'q7o3',
    token,
    String(person.id),
    profile?.caseNumber ?? '',
    person.state.firstName,
    env.BOT_TOKEN ?? '',
    env.SERVICE_KEY ?? '',
    env.DATA_KEY ?? '',
    'نمره',
    TITLE,
  ].filter(Boolean)
}

/** A text as it could stand in a file: as it is, in UTF-16, escaped in JSON, in hex, in base64 at any offset. */
function formsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  const escaped = [...text].map((letter) => `\\u${letter.codePointAt(0)?.toString(16).padStart(4, '0')}`)
  const inBase64 = [0, 1, 2].map((offset) => {
    const all = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    // The first and the last group depend on what stands beside the text.
    return all.slice(offset === 0 ? 0 : 4, Math.floor((offset + bytes.length) / 3) * 4)
  })
  const texts = [text, escaped.join(''), bytes.toString('hex'), ...inBase64]
  return [...texts.map((form) => Buffer.from(form)), Buffer.from(text, 'utf16le')].filter(
    ({ length }) => length >= 5,
  )
}

async function bytesIn(dir: string): Promise<Buffer> {
  const files = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((file) => file.isFile())
  return Buffer.concat(await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name)))))
}

const found = (secrets: readonly string[], where: Buffer) =>
  secrets.filter((secret) => formsOf(secret).some((form) => where.includes(form)))

story('the search finds a text in every form', async ({ expect }) => {
  const name = 'محمدی'
  const forms = [name, JSON.stringify({ name }), `xx${Buffer.from(`"${name}" and more`).toString('base64')}`]
  for (const form of forms) expect(found([name], Buffer.from(`before ${form} after`))).toEqual([name])
  expect(found([name], Buffer.from(`before ${name} after`, 'utf16le'))).toEqual([name])
  expect(found([name], Buffer.from('nobody'))).toEqual([])
})

story('after a whole test nothing personal stands in the folder or in the log', async ({ open, expect }) => {
  const world = await open({ sandbox, environment: { LOG_LEVEL: 'trace' } })
  const secrets = await walkThrough(world)
  const kept = await bytesIn(world.env.DATA_DIR ?? '')
  const key = (await readFile(`${world.env.DATA_DIR}.key`, 'utf8')).trim()
  expect(kept.includes('keyring')).toBe(true)
  expect(found([...secrets, key], kept)).toEqual([])
  expect(kept.includes(ALL_ANSWERED)).toBe(false)
  expect(world.bot.output.stdout).toContain('submitAnswers')
  expect(found([...secrets, key], Buffer.from(world.bot.output.stdout))).toEqual([])
})

describe.skipIf(!program)('with a real redis-server', () => {
  story('nor has anything ever been written to Redis', async ({ open, expect }) => {
    const environment = { REDIS_URL: redis?.url ?? '', DATA_KEY: randomBytes(32).toString('base64') }
    const world = await open({ sandbox, environment })
    const secrets = await walkThrough(world)
    // The append-only file holds every command since the start.
    const written = await bytesIn(redis?.dir ?? '')
    expect(written.includes('keyring')).toBe(true)
    expect(found(secrets, written)).toEqual([])
    expect(written.includes(ALL_ANSWERED)).toBe(false)
  })
})
