import { randomBytes } from 'node:crypto'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { openForgottenList } from '../../src/storage/forgotten-list.ts'
import { createAccount } from '../account.ts'
import { keptOf, queuesOf, withStorage } from '../kept-entries.ts'
import { findRedisServer, type RedisServer, remember, startRedis } from '../storage/redis-server.ts'
import { eventually } from '../until.ts'
import { another, createParticipant, type Participant, story, withAnother, word } from './walk.ts'

const MANAGER = 900
const organized = { ORGANIZERS: String(MANAGER) }
const TITLE = 'حال این دو هفته (نمونه)'

const folders = ({ env }: Participant['world']) => {
  const folder = env.DATA_DIR ?? ''
  return { folder, list: `${env.DATA_KEY_FILE ?? `${folder}.key`}.forgotten` }
}

const listOf = ({ world }: Participant) => ({
  dataDir: world.env.DATA_DIR ?? '',
  dataKeyFile: `${world.env.DATA_DIR}.key`,
})

async function accountOf(sara: Participant): Promise<string> {
  let who = ''
  await withStorage(sara, async ({ vault }) => {
    who = vault.hash('account', String(sara.person.id))
  })
  return who
}

/** Copies the embedded store. Returns what puts the copy in the place of the store. */
async function copies({ world }: Participant) {
  const { folder } = folders(world)
  await world.stop()
  await cp(folder, `${folder}-backup`, { recursive: true })
  await world.start()
  return async () => {
    await world.stop()
    await rm(folder, { recursive: true })
    await cp(`${folder}-backup`, folder, { recursive: true })
    await world.start()
    await world.settled()
  }
}

/** Sara is forgotten and an older store is put back: she stays forgotten, others go on where they were. */
async function staysForgotten(sara: Participant, putBack: () => Promise<unknown>) {
  const manager = sara.world.emulator.person({ id: MANAGER, firstName: 'مدیر' })
  await sara.acts(() => manager.start())
  await sara.forgets()
  const told = manager
    .transcript()
    .split(word('notice-withdrawn', { title: TITLE, token: sara.token })).length
  expect(told).toBe(2)
  await putBack()
  await sara.acts(() => manager.start())
  await sara.opens()
  expect(sara.heard).toBe(word('invitation-forgotten'))
  await sara.says('/tests')
  expect(sara.heard).toBe(word('tests-none'))
  const stranger = another(sara)
  await stranger.opens()
  expect(stranger.heard).toBe(word('invitation-used'))
  expect(
    manager.transcript().split(word('notice-withdrawn', { title: TITLE, token: sara.token })),
  ).toHaveLength(2)
}

const somebodyElse = ({ world }: Participant) =>
  createParticipant(
    world,
    world.emulator.person({ firstName: 'رضا' }),
    world.sandbox.addRecord({ testId: 'mood-7', authRequired: false }),
  )

story('a copy from before /forget restores no forgotten account and harms no other', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: organized })
  await sara.answers(0, 1)
  const { world } = sara
  const reza = somebodyElse(sara)
  await reza.walksTo('question')
  await reza.answers(1)
  const putBack = await copies(sara)
  await staysForgotten(sara, putBack)
  const { list } = folders(world)
  expect(await readFile(list, 'utf8')).not.toContain(String(sara.person.id))
  await reza.opens()
  expect(reza.question.position).toBe(2)
  await world.stop()
  expect([keptOf(world, 's'), keptOf(world, 'r')]).toEqual([1, 1])
  expect(queuesOf(world).filter((name) => !/^(reminder|stuck|screen|digest)/.test(name))).toEqual([])
})

story('organizers learn which test was withdrawn from, never by whom; it is counted', async ({ meet }) => {
  const sara = await meet({ at: 'summary', environment: organized })
  const manager = createAccount(sara.world, sara.world.emulator.person({ id: MANAGER }), '')
  await manager.opens('')
  await sara.forgets()
  expect(manager.screen).toBe(word('notice-withdrawn', { title: TITLE, token: sara.token }))
  expect(manager.data).toEqual([`card:r:${sara.token}`])
  await manager.says('/status')
  await manager.taps('audit')
  const [line = ''] = manager.heard.split('\n').filter((each) => each.includes(word('act.withdrawn')))
  expect(line).toContain(sara.token)
  for (const each of [line, manager.screen]) {
    expect(each).not.toContain(String(sara.person.id))
    expect(each).not.toContain('زهرا')
  }
  expect(sara.world.lines.filter((each) => each.includes('"msg":"withdrawn"'))).toHaveLength(1)
  const metrics = await (await fetch(`${sara.world.address}/metrics`)).text()
  expect(metrics).toContain('porsa_milestones_total{milestone="withdrawn"} 1')
})

story('a participant forgotten without a list is in the list after the next start', async ({ meet }) => {
  const sara = await meet({ at: 'summary', environment: organized })
  const putBack = await copies(sara)
  const { list } = folders(sara.world)
  await staysForgotten(sara, async () => {
    await sara.world.stop()
    await rm(list)
    await sara.world.start()
    await eventually(async () => expect((await openForgottenList(listOf(sara)).read()).size).toBe(1))
    await putBack()
  })
})

story('a process that dies between the list and the deletion deletes at its next start', async ({ meet }) => {
  const sara = await meet({ at: 'review', environment: organized })
  const who = await accountOf(sara)
  // Half a line, left by a process that died while it wrote.
  await writeFile(folders(sara.world).list, `${who} 1\n${who.slice(3)}`)
  await sara.meetsRestart()
  await sara.opens()
  expect(sara.heard).toBe(word('invitation-forgotten'))
  await sara.world.stop()
  expect(['s', 'r', 't'].map((prefix) => keptOf(sara.world, prefix))).toEqual([0, 0, 0])
})

story('an account that comes back after /forget is not forgotten by a restart', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: organized })
  await sara.forgets()
  const again = withAnother(sara, { testId: 'mood-7', authRequired: false })
  await again.walksTo('question')
  await again.answers(1, 1)
  await sara.meetsRestart()
  await again.opens()
  expect(again.question.position).toBe(3)
})

story(
  'where the list cannot be written, /forget deletes all the same, and the operator is told',
  async ({ meet }) => {
    const sara = await meet({ at: 'question', environment: organized })
    const { folder } = folders(sara.world)
    const files = [`${folder}.key.forgotten`, `${folder}.forgotten`, join(folder, 'porsa.forgotten')]
    for (const file of files) await rm(file, { force: true }).then(() => symlink('/proc/version/none', file))
    await sara.forgets()
    await sara.opens()
    expect(sara.heard).toBe(word('invitation-forgotten'))
    expect(sara.world.lines.join('')).toContain('forgotten in the store alone')
    await sara.meetsRestart()
    expect(sara.world.lines.join('')).toContain('nobody may write beside DATA_KEY_FILE')
  },
)

story('where the key is only mounted, the list is kept beside the store', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: organized })
  const { folder, list } = folders(sara.world)
  await rm(list, { force: true })
  await mkdir(list)
  await sara.forgets()
  expect(await readFile(`${folder}.forgotten`, 'utf8')).toMatch(/^[\w-]{16} 1$/m)
})

describe.skipIf(!findRedisServer())('with a real redis-server', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis(findRedisServer() ?? '')
  })
  afterAll(() => server.remove())

  story('a Redis put back to before /forget brings no account back', async ({ meet }) => {
    const settings = { REDIS_URL: server.url, DATA_KEY: randomBytes(32).toString('base64') }
    const sara = await meet({ environment: { ...organized, ...settings } })
    await sara.walksTo('question')
    await sara.answers(0, 1)
    const redis = new Redis(server.url)
    const goesBack = await remember(redis)
    await staysForgotten(sara, async () => {
      await sara.world.stop()
      await goesBack()
      await sara.world.start()
    })
    const keys = await redis.keys('{porsa}[sto]:*')
    expect(keys).toEqual([])
    redis.disconnect()
  })
})
