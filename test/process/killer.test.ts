import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { findRedisServer, type RedisServer, startRedis } from '../storage/redis-server.ts'
import { until } from '../until.ts'
import { INVITER, word } from '../words.ts'
import { meet, withoutSms } from './crashes.ts'
import { type ProcessWorld, story } from './world.ts'

const environment = { ORGANIZERS: '900' }
const NEIGHBOURS = 4

/**
 * An introduction that kills the process whenever it is sent, with messages of others in work beside it.
 * After three starts it is set aside, and nothing else is.
 */
async function meetsKiller(world: ProcessWorld): Promise<void> {
  const { emulator, sandbox, bot } = world
  const manager = emulator.person({ id: 900, firstName: 'مدیر' })
  manager.start()
  const zahra = meet(world, withoutSms)
  await zahra.goesOnUntil(() => zahra.place === 'question')
  const victim = emulator.person()
  const neighbours = Array.from({ length: NEIGHBOURS }, () => emulator.person())
  const isIntroduction = (payload: Record<string, unknown>) =>
    payload.chat_id === victim.id && JSON.stringify(payload).includes('begin:')
  // Messages to others are slow, so that theirs are in work when the process dies.
  const held = emulator.fault({
    kind: 'delay',
    ms: 300,
    times: Infinity,
    when: ({ chat_id: chat }) => neighbours.some(({ id }) => id === chat),
  })
  const killer = emulator.fault({
    kind: 'cut',
    times: Infinity,
    when: (payload) => isIntroduction(payload) && Boolean(bot.kill()),
  })
  victim.start(`record_${sandbox.addRecord(withoutSms)}`)
  for (let deaths = 1; deaths <= 3; deaths += 1) {
    for (const neighbour of neighbours) neighbour.say('/help')
    await until(() => killer.hits === deaths, world)
    await bot.exit()
    bot.start()
  }
  await until(() => victim.transcript().includes(word('trouble')), world)
  await until(() => manager.transcript().includes(word('notice-trouble')), world)
  held.end()
  // The neighbours were answered and go on, and so do all others.
  const helps = ({ messages }: (typeof neighbours)[number]) =>
    messages.filter(({ from }) => from.is_bot).length
  await until(() => neighbours.every((neighbour) => helps(neighbour) >= 3), world)
  await zahra.goesOnUntil(() => zahra.result.documents > 0)
  expect(zahra.accepted).toEqual([zahra.chosen])
  expect(killer.hits).toBe(3)
  expect(bot.lines().filter(({ msg }) => msg === 'message set aside')).toHaveLength(1)
}

/** The message about a release kills the process this often. How does the person learn of the release? */
async function releasedUnderKills(world: ProcessWorld, kills: number) {
  const { emulator, sandbox, bot } = world
  const manager = emulator.person({ id: 900, firstName: 'مدیر' })
  manager.start()
  const zahra = meet(world, withoutSms)
  await zahra.goesOnUntil(() => zahra.place === 'question')
  const said = word('released-told', { title: '' }).split(/»|\./)[1] ?? ''
  const isTold = () => zahra.person.transcript().includes(said)
  const killer = emulator.fault({
    kind: 'cut',
    times: kills,
    when: (payload) => JSON.stringify(payload).includes(said) && Boolean(bot.kill()),
  })
  const data = JSON.stringify(zahra.person.messages.map(({ reply_markup: markup }) => markup))
  const s = /"a:([\w-]+):/.exec(data)?.[1] ?? ''
  manager.rawTap(manager.last, `release:${s}:same`)
  for (let deaths = 1; deaths <= kills; deaths += 1) {
    await until(() => killer.hits === deaths, world)
    await bot.exit()
    bot.start()
  }
  return { zahra, isTold, bot, link: `record_${zahra.token}`, sandbox }
}

story('a release is announced although the first event about it was set aside', async ({ open }) => {
  const world = await open({ environment })
  const { isTold } = await releasedUnderKills(world, 3)
  await until(isTold, world)
})

story.for(['link', 'start'] as const)(
  'where a release cannot be announced at all, trouble is reported, and the next %s leads on',
  async (way, { open }) => {
    const world = await open({ environment })
    const { zahra, isTold, bot, link } = await releasedUnderKills(world, 6)
    const isSetAside = () => bot.lines().filter(({ msg }) => msg === 'message set aside').length === 2
    await until(isSetAside, world)
    await until(() => zahra.person.transcript().includes(word('trouble')), world)
    expect(isTold()).toBe(false)
    const before = zahra.person.transcript().length
    zahra.person.start(way === 'link' ? link : '')
    const wayOn = way === 'link' ? word('invitation-used') : INVITER.organizerContact
    await until(() => zahra.person.transcript().slice(before).includes(wayOn), world)
  },
)

story('a message that kills the process three times is set aside, and no other', async ({ open }) => {
  await meetsKiller(await open({ environment }))
})

describe.skipIf(!findRedisServer())('with a real redis-server', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis(findRedisServer() ?? '')
  })
  afterAll(() => redis.remove())

  story('the same on Redis, after the leases of the dead process', async ({ open }) => {
    const shared = { REDIS_URL: redis.url, DATA_KEY: randomBytes(32).toString('base64') }
    await meetsKiller(await open({ environment: { ...environment, ...shared } }))
  })
})
