import { randomBytes } from 'node:crypto'
import { copyFile, cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { findRedisServer, type RedisServer, remember, startRedis } from '../storage/redis-server.ts'
import { finishesElsewhere } from './second-writer.ts'
import { type Participant, story, word } from './walk.ts'

const environment = { ORGANIZERS: '900' }
const instant = { at: 'review', record: { testsAuthRequired: false }, environment } as const

const accepted = ({ submissions }: Participant) => submissions.filter((submission) => submission.accepted)

const test = 'حال این دو هفته (نمونه)'
const title = `${test} · زهرا`

/**
 * The participant comes to the review again, sends, and gets the result of the one accepted submission, with
 * the words that it is uncertain whose answers these are.
 */
async function sendsAgain(sara: Participant): Promise<void> {
  await sara.opens()
  expect(sara.place).toBe('review')
  await sara.taps(/^submit:/)
  expect(sara.chat).toContain(word('submitted-uncertain', { title }))
  expect(sara.place).not.toBe('refused')
  expect(accepted(sara)).toHaveLength(1)
}

async function organizer({ world, acts }: Participant) {
  const person = world.emulator.person({ id: 900, firstName: 'مدیر' })
  await acts(() => person.start())
  return person
}

story('a backup from before «send» costs no result', async ({ meet }) => {
  const sara = await meet(instant)
  const { world } = sara
  const folder = world.env.DATA_DIR ?? ''
  await world.stop()
  await cp(folder, `${folder}-backup`, { recursive: true })
  await world.start()
  await sara.taps(/^submit:/)
  expect(sara.files).toHaveLength(2)
  await world.stop()
  await rm(folder, { recursive: true })
  await cp(`${folder}-backup`, folder, { recursive: true })
  await world.start()
  const manager = await organizer(sara)
  await sendsAgain(sara)
  expect(sara.files).toHaveLength(4)
  expect(manager.transcript()).toContain(word('notice-uncertain', { title: test }))
})

story('a store file that replaces a newer one is recognized as older', async ({ meet }) => {
  const sara = await meet(instant)
  const { world } = sara
  const file = join(world.env.DATA_DIR ?? '', 'porsa.db')
  await world.stop()
  await copyFile(file, `${file}.backup`)
  await world.start()
  await sara.taps(/^submit:/)
  expect(sara.files).toHaveLength(2)
  await world.stop()
  await copyFile(`${file}.backup`, file)
  await world.start()
  await sendsAgain(sara)
})

/** A participant's store is put back to what it was before `meanwhile`. */
async function comesBackOlder(sara: Participant, meanwhile: () => Promise<unknown>): Promise<void> {
  const { world } = sara
  const file = join(world.env.DATA_DIR ?? '', 'porsa.db')
  await world.stop()
  await copyFile(file, `${file}.backup`)
  await world.start()
  await meanwhile()
  await world.stop()
  await copyFile(`${file}.backup`, file)
  await world.start()
  world.pass(5_000)
}

const atQuestion = { at: 'question', record: { authRequired: false } } as const
const LOST = word('toast-answers-lost')

story('a tap on a question unknown to an older store says that answers were lost', async ({ meet }) => {
  const sara = await meet(atQuestion)
  await comesBackOlder(sara, () => sara.answers(1, 2))
  await sara.answers(3)
  expect(sara.person.toasts).toEqual([LOST])
  expect(sara.world.lines.filter((line) => line.includes('it came back older'))).toHaveLength(1)
  expect(sara.question.position).toBe(1)
  await sara.answers(3)
  expect(sara.question.position).toBe(2)
})

story('a tap says so, too, where the test was put aside in the older store', async ({ meet }) => {
  const sara = await meet(atQuestion)
  await sara.answers(1)
  await sara.taps(/^pause:/)
  await comesBackOlder(sara, async () => {
    await sara.taps(/^open:/)
    await sara.answers(1, 2)
  })
  await sara.answers(3)
  expect(sara.person.toasts.at(-1)).toBe(LOST)
  expect(sara.question.position).toBe(2)
})

story('«send» at a review that an older store does not know says so, too', async ({ meet }) => {
  const sara = await meet(atQuestion)
  await comesBackOlder(sara, () => sara.walksTo('review'))
  await sara.taps(/^submit:/)
  expect(sara.person.toasts.at(-1)).toBe(LOST)
  expect(sara.question.position).toBe(1)
})

for (const how of ['taps', 'says'] as const)
  story(`a number for a question unknown to it, after ${how}, gets a true reply`, async ({ meet }) => {
    const sara = await meet(atQuestion)
    await comesBackOlder(sara, async () => {
      if (how === 'taps') return sara.answers(1, 2)
      for (const number of ['1', '2']) {
        sara.world.pass(2_000)
        await sara.says(number)
      }
    })
    await sara.says('2')
    expect(sara.heard).toContain(word('answer-not-in-sight'))
    expect(sara.question.position).toBe(1)
  })

story('a restart makes no store older: a test finished elsewhere is not claimed', async ({ meet }) => {
  const sara = await meet(instant)
  await sara.meetsRestart()
  await finishesElsewhere(sara)
  await sara.meetsRestart()
  await sara.taps(/^submit:/)
  expect(sara.heard).toContain(word('done-elsewhere', { title }))
  expect(sara.files).toEqual([])
})

story(
  'complete answers that wait for a profile are not given up when it is refused as finished',
  async ({ meet }) => {
    const sara = await meet(instant)
    sara.world.sandbox.update(sara.token, { authRequired: true })
    await sara.taps(/^submit:/)
    await sara.walksTo('summary')
    sara.world.sandbox.update(sara.token, { authRequired: false })
    await finishesElsewhere(sara)
    await sara.taps('profile:ok')
    // The answers were sent, and only their refusal showed whose the record is.
    expect(sara.submissions.filter(({ accepted }) => !accepted)).toHaveLength(2)
    expect(sara.heard).toContain(word('done-elsewhere', { title }))
    expect(sara.files).toEqual([])
  },
)

story('a test finished elsewhere before it was answered here gives no result', async ({ meet }) => {
  const sara = await meet({ at: 'introduction', record: { testsAuthRequired: false } })
  const { world } = sara
  world.sandbox.fault({ kind: 'status', status: 503, path: 'questions', times: 9 })
  for (let step = 0; step < 12 && sara.place !== 'refused'; step++) await sara.goesOn()
  await finishesElsewhere(sara)
  await world.restarts()
  await sara.taps(/^retry:/)
  expect(sara.heard).toContain(word('finished-elsewhere'))
  expect(sara.files).toEqual([])
})

describe.skipIf(!findRedisServer())('with a real redis-server', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis(findRedisServer() ?? '')
  })
  afterAll(() => server.remove())

  story('a Redis put back to before «send» costs no result', async ({ meet }) => {
    const settings = { REDIS_URL: server.url, DATA_KEY: randomBytes(32).toString('base64') }
    const sara = await meet({ ...instant, environment: settings })
    const redis = new Redis(server.url)
    const putBack = await remember(redis)
    await sara.taps(/^submit:/)
    expect(sara.files).toHaveLength(2)
    await putBack()
    await sendsAgain(sara)
    expect(sara.files).toHaveLength(4)
    redis.disconnect()
  })
})

story(
  'a button of a later step than the older store has is answered with the question of its step',
  async ({ meet }) => {
    const sara = await meet({ at: 'gender' })
    await comesBackOlder(sara, () => sara.walksTo('summary'))
    await sara.taps('profile:ok')
    expect(sara.place).toBe('gender')
  },
)
