import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { findRedisServer, freePort, startRedis } from '../storage/redis-server.ts'
import { until } from '../until.ts'
import { meet, withoutSms } from './crashes.ts'
import type { Participant } from './participant.ts'
import { type ProcessWorld, story } from './world.ts'

const program = findRedisServer()
const WITHIN = { timeoutMs: 40_000 }

/** Whether a part works, by the metrics. */
async function partOk({ bot }: ProcessWorld, part: string): Promise<boolean | undefined> {
  const text = await (await fetch(`${await bot.address()}/metrics`)).text()
  const [, value] = new RegExp(`^porsa_part_ok\\{part="${part}"\\} (\\d)`, 'm').exec(text) ?? []
  return value === undefined ? undefined : value === '1'
}

const becomes = (world: ProcessWorld, part: string, isOk: boolean) =>
  until(async () => (await partOk(world, part)) === isOk, { ...world, ...WITHIN })

/** Runs the checks of every 15 s each second, and leaves the rarer ones as they are. */
const HURRIED = `
const every = globalThis.setInterval
globalThis.setInterval = (act, ms, ...given) => every(act, ms === 15_000 ? 1_000 : ms, ...given)`

/** The same, with a clock that is moved by the milliseconds in a file. */
const movedBy = (file: string) => `${HURRIED}
import { readFileSync } from 'node:fs'
const { now } = Date
Date.now = () => {
  let ms = 0
  try { ms = Number(readFileSync('${file}', 'utf8')) } catch {}
  return now() + ms
}`

const before = (script: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
})

story(
  'a clock that is 40 days ahead for a while deletes nothing, reminds no one, and is reported',
  async ({ open, dir, expect }) => {
    const file = join(dir, 'ahead')
    const OPERATOR = 4_711
    const world = await open({
      environment: { ...before(movedBy(file)), OPERATORS: String(OPERATOR) },
    })
    const operator = world.emulator.person({ id: OPERATOR })
    operator.start()
    const zahra = meet(world, withoutSms)
    await zahra.goesOnUntil(() => zahra.chosen.length >= 3)
    await writeFile(file, String(40 * 86_400_000))
    await becomes(world, 'clock', false)
    // The notice takes longer than the metrics.
    await until(() => operator.transcript().includes('ساعت سرور'), { ...world, ...WITHIN })
    const told = zahra.person.transcript()
    await zahra.goesOnUntil(() => zahra.chosen.length >= 5)
    await rm(file)
    await becomes(world, 'clock', true)
    await zahra.goesOnUntil(() => zahra.result.documents > 0)
    expect(zahra.accepted).toEqual([zahra.chosen])
    expect(told).not.toMatch(/یادآوری|حذف شد/)
  },
)

story('a service whose clock is ten minutes behind accepts the code of its SMS', async ({ open, expect }) => {
  const world = await open()
  const { bot, sandbox } = world
  sandbox.app.server.prependListener('request', (_, reply) => {
    reply.setHeader('date', new Date(Date.now() - 600_000).toUTCString())
  })
  const zahra = meet(world, { testId: 'mood-7' })
  await zahra.goesOnUntil(() => zahra.place === 'question', 60_000)
  const metrics = await (await fetch(`${await bot.address()}/metrics`)).text()
  expect(Math.abs(Number(/^porsa_clock_ahead_seconds (\S+)/m.exec(metrics)?.[1]))).toBeLessThan(60)
  expect(bot.lines().filter(({ part, msg }) => part === 'clock' && msg === 'does not work')).toEqual([])
})

/** Types a number in a later second than that of the question. */
async function typesANumber(world: ProcessWorld, zahra: Participant): Promise<void> {
  const { position, message } = zahra.question
  const shownAt = message.edit_date ?? message.date
  await until(() => Date.now() >= (shownAt + 1) * 1_000, world)
  const { message_id: typed } = zahra.person.say('2')
  await until(() => zahra.person.last.message_id > typed, world)
  await world.emulator.settled()
  // Neither refused nor asked about: the next question is shown.
  expect([zahra.question.position, zahra.question.options.length]).toEqual([position + 1, 4])
}

for (const [where, ms] of [
  ['behind', -600_000],
  ['ahead', 600_000],
] as const)
  story(`a number that is typed while the clock is ten minutes ${where} counts`, async ({ open, dir }) => {
    const file = join(dir, 'ahead')
    const world = await open({ environment: before(movedBy(file)) })
    const zahra = meet(world, withoutSms)
    await zahra.goesOnUntil(() => zahra.place === 'question' && zahra.chosen.length >= 2)
    await world.emulator.settled()
    await writeFile(file, String(ms))
    // A question that was edited, one that was sent again, and one that a tap has edited since.
    await typesANumber(world, zahra)
    await typesANumber(world, zahra)
    const { position, data, message } = zahra.question
    zahra.person.tap(data[0] ?? '', message)
    await until(() => zahra.question.position === position + 1, world)
    await typesANumber(world, zahra)
    await becomes(world, 'clock', false)
  })

story('a webhook that another bot takes away is reported and set again', async ({ open, expect }) => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/telegram`
  const world = await open({ environment: { ...before(HURRIED), PORT: String(port), WEBHOOK_URL: url } })
  const { emulator, bot, env } = world
  bot.start()
  await bot.ready()
  const call = async (method: string, args: object = {}) => {
    const reply = await fetch(`${env.TELEGRAM_API_ROOT}/bot${env.BOT_TOKEN}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(args),
    })
    return (await reply.json()) as { result: { url: string } }
  }
  await until(async () => (await call('getWebhookInfo')).result.url === url, world)
  await call('deleteWebhook')
  await becomes(world, 'webhook', false)
  await until(async () => (await call('getWebhookInfo')).result.url === url, { ...world, ...WITHIN })
  await becomes(world, 'webhook', true)
  const person = emulator.person()
  person.start()
  await until(() => person.messages.length === 2, world)
  expect(bot.lines().some(({ part, msg }) => part === 'webhook' && msg === 'works')).toBe(true)
})

describe.skipIf(!program)('with a real redis-server', () => {
  story('the metrics answer while Redis stands still, and say so', async ({ open, expect }) => {
    const redis = await startRedis(program ?? '')
    const world = await open({
      environment: {
        ...before(HURRIED),
        REDIS_URL: redis.url,
        DATA_KEY: randomBytes(32).toString('base64'),
      },
    })
    world.bot.start()
    await world.bot.ready()
    redis.freeze()
    await becomes(world, 'storage', false)
    const askedAt = performance.now()
    await partOk(world, 'storage')
    expect(performance.now() - askedAt).toBeLessThan(2_000)
    redis.thaw()
    await becomes(world, 'storage', true)
    await world.bot.kill()
    await redis.remove()
  })
})
