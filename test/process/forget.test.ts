import { randomBytes } from 'node:crypto'
import { cp, rm } from 'node:fs/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { findRedisServer, type RedisServer, remember, startRedis } from '../storage/redis-server.ts'
import { until } from '../until.ts'
import { word } from '../words.ts'
import { meet, withoutSms } from './crashes.ts'
import { createParticipant } from './participant.ts'
import { type ProcessWorld, story } from './world.ts'

const MANAGER = 900
const environment = { ORGANIZERS: String(MANAGER) }

/** When the process is killed: by the message that it is about to send, and to whom. */
const MOMENTS = ['before the deletion is committed', 'after it was committed'] as const
type Moment = (typeof MOMENTS)[number]

/** Copies the store of a stopped bot. Returns what puts the copy back. */
type Remember = (world: ProcessWorld) => Promise<() => Promise<unknown>>

/**
 * A person confirms /forget and the process is killed during it, perhaps with an older store put back before
 * its start. In the end the person is forgotten, they and the organizers are told, and others go on.
 */
async function forgetsWhileKilled(world: ProcessWorld, moment: Moment, rememberStore?: Remember) {
  const { emulator, sandbox, bot } = world
  const manager = emulator.person({ id: MANAGER, firstName: 'مدیر' })
  manager.start()
  const zahra = meet(world, withoutSms)
  await zahra.goesOnUntil(() => zahra.chosen.length > 1)
  await bot.stop()
  const putBack = await rememberStore?.(world)
  bot.start()

  const told = word('notice-withdrawn', { title: '', token: zahra.token }).slice(-60)
  const said = word('forgotten').slice(0, 30)
  const isMoment = (payload: Record<string, unknown>) => {
    const [chat, words] = moment === MOMENTS[0] ? [zahra.person.id, said] : [MANAGER, zahra.token]
    return payload.chat_id === chat && String(payload.text).includes(words)
  }
  await zahra.says('/forget')
  await until(() => zahra.offers('forget:yes'), world)
  const killer = emulator.fault({ kind: 'cut', when: (payload) => isMoment(payload) && Boolean(bot.kill()) })
  await zahra.taps('forget:yes')
  await until(() => killer.hits === 1, world)
  await bot.exit()
  await putBack?.()
  bot.start()

  await until(() => zahra.person.transcript().includes(said) || putBack !== undefined, world)
  // Her link is forgotten, and a stranger learns only that it is used.
  for (const [who, words] of [
    [zahra.person, word('invitation-forgotten')],
    [emulator.person(), word('invitation-used')],
  ] as const) {
    who.start(zahra.payload)
    await until(() => who.messages.findLast(({ from }) => from.is_bot)?.text === words, world)
  }
  // An older copy has no notice that was about to leave; else the organizers have it, or get it.
  if (!putBack) await until(() => manager.transcript().includes(zahra.token), world)
  expect(manager.transcript().split(told).length).toBeLessThanOrEqual(2)
  const token = sandbox.addRecord(withoutSms)
  const other = createParticipant({ ...world, person: emulator.person(), token })
  void other.opens()
  await other.goesOnUntil(() => other.result.documents > 0)
  expect(sandbox.submissions(zahra.token)).toEqual([])
}

describe('killed in /forget, on the embedded store', () => {
  const rememberStore: Remember = async ({ env }) => {
    const folder = env.DATA_DIR ?? ''
    await cp(folder, `${folder}-copy`, { recursive: true })
    return async () => {
      await rm(folder, { recursive: true })
      await cp(`${folder}-copy`, folder, { recursive: true })
    }
  }
  for (const moment of MOMENTS) {
    story(`${moment}: she stays forgotten`, async ({ open }) => {
      await forgetsWhileKilled(await open({ environment }), moment)
    })
  }
  story('with an older copy put back in between: she stays forgotten', async ({ open }) => {
    await forgetsWhileKilled(await open({ environment }), MOMENTS[1], rememberStore)
  })
})

describe.skipIf(!findRedisServer())('killed in /forget, with a real redis-server', () => {
  const servers: RedisServer[] = []
  beforeAll(async () => {
    for (const _ of [...MOMENTS, 'restored']) servers.push(await startRedis(findRedisServer() ?? ''))
  })
  afterAll(() => Promise.all(servers.map((server) => server.remove())))

  const shared = (url: string) => ({
    environment: { ...environment, REDIS_URL: url, DATA_KEY: randomBytes(32).toString('base64') },
  })
  for (const [nth, moment] of MOMENTS.entries()) {
    story(`${moment}: she stays forgotten on Redis`, async ({ open }) => {
      await forgetsWhileKilled(await open(shared(servers[nth]?.url ?? '')), moment)
    })
  }
  story('with an older Redis put back in between: she stays forgotten', async ({ open }) => {
    const redis = new Redis(servers[2]?.url ?? '')
    await forgetsWhileKilled(await open(shared(servers[2]?.url ?? '')), MOMENTS[1], () => remember(redis))
    redis.disconnect()
  })
})
