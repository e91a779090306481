import { until } from '../until.ts'
import { meet, withoutSms } from './crashes.ts'
import { createParticipant } from './participant.ts'
import { story } from './world.ts'

const CLEAN = { code: 0, signal: null }

story('a stop is clean, and messages of the meantime are answered afterwards', async ({ open, expect }) => {
  const world = await open()
  const { bot, emulator } = world
  bot.start()
  await bot.ready()
  expect(await bot.stop()).toEqual(CLEAN)
  const person = emulator.person()
  person.start()
  bot.start()
  await until(() => person.messages.length === 2, world)
  expect(await bot.stop()).toEqual(CLEAN)
  expect(person.messages).toHaveLength(2)
  expect(bot.output.stderr).toBe('')
})

story('a stop in the middle of a call waits for it', async ({ open, expect }) => {
  const world = await open()
  const { bot, sandbox } = world
  const zahra = meet(world, withoutSms)
  const slow = sandbox.fault({ kind: 'slow', ms: 60_000, method: 'POST', path: 'auth' })
  const called = () => sandbox.calls.filter(({ path }) => path.endsWith('/auth/')).length
  await zahra.goesOnUntil(() => called() === 1)
  const stopped = bot.stop()
  await until(() => bot.lines().some(({ msg }) => msg === 'stopping'), world)
  slow.end()
  expect(await stopped).toEqual(CLEAN)
  bot.start()
  await zahra.goesOnUntil(() => zahra.place === 'question')
  expect(called()).toBe(1)
})

story(
  'a stop while the service hangs comes to its end, and the call is not made again',
  async ({ open, expect }) => {
    const world = await open()
    const { bot, sandbox } = world
    const zahra = meet(world, withoutSms)
    const slow = sandbox.fault({ kind: 'slow', ms: 120_000, method: 'POST', path: 'auth' })
    const called = () => sandbox.calls.filter(({ path }) => path.includes('auth/')).length
    await zahra.goesOnUntil(() => called() === 2)
    const address = await bot.address()
    const stopped = bot.stop()
    await until(() => bot.lines().some(({ msg }) => msg === 'stopping'), world)
    expect((await fetch(`${address}/readyz`)).status).toBe(503)
    expect(await stopped).toEqual(CLEAN)
    slow.end()
    expect(bot.lines().some(({ msg }) => msg === 'stopped in the middle')).toBe(false)
  },
)

story('a stop during a long rate limit of Telegram comes to its end', async ({ open, expect }) => {
  const world = await open()
  const { bot, emulator } = world
  bot.start()
  await bot.ready()
  const held = emulator.fault({ kind: 'flood', retryAfter: 40, method: 'sendMessage', times: 99 })
  emulator.person().start()
  await until(() => held.hits > 0, world)
  expect(await bot.stop()).toEqual(CLEAN)
})

story('a stop does not wait for a call in the queue', async ({ open, expect }) => {
  const world = await open()
  const { bot, emulator, sandbox, explain, chance } = world
  bot.start({ RATE_PER_MINUTE: '1' })
  await bot.ready() // the check of the key was the call of this minute
  const token = sandbox.addRecord(withoutSms)
  const zahra = createParticipant({ sandbox, person: emulator.person(), token, explain, chance })
  void zahra.opens()
  await until(() => zahra.person.messages.length === 2, world) // her place in line
  expect(await bot.stop()).toEqual(CLEAN)
  bot.start()
  await until(() => zahra.place === 'introduction', world)
})

story('a stop during the start is clean as well', async ({ open, expect }) => {
  const { bot } = await open()
  bot.start()
  await bot.address()
  expect(await bot.stop()).toEqual(CLEAN)
})

/**
 * A start that hangs: its port never opens. From SIGTERM on time runs a hundred times as fast. The timer of
 * ten seconds is set after all listeners of the signal have run, so that their slow log lines do not let it
 * overtake an earlier timer.
 */
const HANGING = `
import http from 'node:http'
http.Server.prototype.listen = () => { setInterval(() => {}, 1000); console.log('{"msg":"hangs"}') }
const { setTimeout } = globalThis
process.once('SIGTERM', () => {
  globalThis.setTimeout = (act, ms, ...given) => setTimeout(act, ms / 100, ...given)
  setImmediate(() => globalThis.setTimeout(() => process.exit(3), 10_000))
})`

story('the process ends with 0 ten seconds after SIGTERM, whatever hangs', async ({ open, expect }) => {
  const world = await open()
  const { bot } = world
  bot.start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HANGING)}` })
  await until(() => bot.lines().some(({ msg }) => msg === 'hangs'), world)
  expect(await bot.stop()).toEqual(CLEAN)
})

story('the bot is healthy and ready, counts, and keeps its memory small', async ({ open, expect }) => {
  const { bot, sandbox } = await open()
  const slow = sandbox.fault({ kind: 'slow', ms: 60_000, path: 'connect' })
  bot.start()
  const address = await bot.address()
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
  const early = await fetch(`${address}/readyz`)
  expect(early.status).toBe(503)
  expect(await early.json()).toMatchObject({ storage: 'ok', service: 'waiting' })
  slow.end()
  await bot.ready()
  expect(await (await fetch(`${address}/readyz`)).json()).toEqual({
    status: 'ready',
    storage: 'ok',
    telegram: 'ok',
    service: 'ok',
    webhook: 'ok',
    clock: 'ok',
    room: 'ok',
    backup: 'ok',
  })
  const metrics = await (await fetch(`${address}/metrics`)).text()
  const names = metrics.match(/^\w+/gm) ?? []
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !name.startsWith('porsa_'))).toEqual([])
  const young = /^porsa_nodejs_heap_space_size_total_bytes\{space="new"\} (\d+)/m.exec(metrics)
  // V8 would let it grow to 32 MB.
  expect(Number(young?.[1])).toBeLessThan(9e6)
})

story('a bot that starts again is ready at once: its key was accepted before', async ({ open, expect }) => {
  const { bot, sandbox } = await open()
  for (const _ of ['first', 'again']) {
    // The check of the key is the only call of this hour; the story must not wait for another.
    bot.start({ RATE_PER_MINUTE: '1', RATE_PER_HOUR: '1' })
    await bot.ready()
    expect(await bot.stop()).toEqual(CLEAN)
  }
  expect(sandbox.calls.filter(({ path }) => path.includes('connect'))).toHaveLength(1)
})

story('a bot whose key the service refuses is alive, but never ready', async ({ open, expect }) => {
  const { bot, sandbox } = await open()
  bot.start({ SERVICE_KEY: `${sandbox.key}-revoked` })
  const address = await bot.address()
  await until(() => sandbox.calls.some(({ status }) => status === 403))
  const readiness = async () => {
    const answer = await fetch(`${address}/readyz`)
    return { code: answer.status, ...((await answer.json()) as { telegram: string }) }
  }
  await until(async () => (await readiness()).telegram === 'ok')
  expect(await readiness()).toMatchObject({ code: 503, telegram: 'ok', service: 'waiting' })
  expect((await fetch(`${address}/healthz`)).status).toBe(200)
})
