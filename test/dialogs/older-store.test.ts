import { randomBytes } from 'node:crypto'
import { cp, rm } from 'node:fs/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { findRedisServer, type RedisServer, remember, startRedis } from '../store/redis-server.ts'
import { type Participant, story, word } from './walk.ts'

const instant = { at: 'review', record: { testsAuthRequired: false } } as const

const accepted = ({ submissions }: Participant) => submissions.filter((submission) => submission.accepted)

/** The participant is led to the review once more, sends, and has the result of the one submission that was accepted. */
async function sendsAgain(sara: Participant): Promise<void> {
  await sara.opens()
  expect(sara.place).toBe('review')
  await sara.taps(/^submit:/)
  expect(sara.chat).not.toContain(word('finished-elsewhere'))
  expect(sara.chat).toMatch(/پاسخ شما رسید؛ ممنون/)
  expect(sara.place).not.toBe('refused')
  expect(accepted(sara)).toHaveLength(1)
}

story('a backup of the moment before «send» costs no result', async ({ meet }) => {
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
  await sendsAgain(sara)
  expect(sara.files).toHaveLength(4)
})

/** Somebody else answers the same record at the service itself. */
async function finishesElsewhere({ world, token }: Participant): Promise<void> {
  const response = await fetch(`${world.env.SERVICE_URL}/record/${token}/`, {
    method: 'POST',
    headers: { 'api-key': world.sandbox.key, 'content-type': 'application/json' },
    body: JSON.stringify({
      record: [1, 2, 3, 4, 5, 6, 7].map((q) => `q${q}o1`),
      doing_duration_in_minutes: 3,
    }),
  })
  expect(response.status).toBe(200)
}

story('complete answers to what was finished meanwhile lead to its result', async ({ meet }) => {
  const sara = await meet(instant)
  await finishesElsewhere(sara)
  await sara.taps(/^submit:/)
  expect(sara.files).toHaveLength(2)
  expect(sara.chat).not.toContain(word('finished-elsewhere'))
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
    expect(sara.files).toHaveLength(2)
    expect(sara.chat).not.toContain(word('finished-elsewhere'))
  },
)

story('what was finished elsewhere before it was answered here gives no result', async ({ meet }) => {
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

  story('a Redis that comes back as it was before «send» costs no result', async ({ meet }) => {
    const environment = { REDIS_URL: server.url, DATA_KEY: randomBytes(32).toString('base64') }
    const sara = await meet({ ...instant, environment })
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
