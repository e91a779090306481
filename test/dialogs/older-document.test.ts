import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { findRedisServer, type RedisServer, startRedis } from '../storage/redis-server.ts'
import { createParticipant, type Participant, story, word } from './walk.ts'

const environment = { ORGANIZERS: '900' }
const instant = { at: 'question', record: { testsAuthRequired: false }, environment } as const

type Row = { key: string; value: Uint8Array; version: string; expires_at: number | null }

/** A thief copies the file of her record, and puts it back as a whole or its value alone. */
function thiefOf({ world }: Participant) {
  function onDatabase<T>(act: (db: InstanceType<typeof DatabaseSync>) => T): T {
    const db = new DatabaseSync(join(world.env.DATA_DIR ?? '', 'porsa.db'))
    const done = act(db)
    db.close()
    return done
  }
  const row = onDatabase((db) => db.prepare("SELECT * FROM entry WHERE key LIKE 'r:%'").get() as Row)
  return {
    putBack: () =>
      onDatabase((db) =>
        db
          .prepare('UPDATE entry SET value = ?, version = ? WHERE key = ?')
          .run(row.value, row.version, row.key),
      ),
    putValueBack: () =>
      onDatabase((db) => db.prepare('UPDATE entry SET value = ? WHERE key = ?').run(row.value, row.key)),
  }
}

const alarms = ({ world }: Participant) =>
  world.lines.filter((line) => line.includes('a value that was replaced is back'))

/** She gets one message, the organizers are notified, and another participant gets to the result. */
async function isRefused(sara: Participant): Promise<void> {
  const { world } = sara
  const manager = world.emulator.person({ id: 900, firstName: 'مدیر' })
  await sara.acts(() => manager.start())
  await sara.opens()
  expect(sara.heard).toBe(word('trouble'))
  await expect.poll(() => manager.transcript()).toContain(word('notice-trouble'))
  const token = world.sandbox.addRecord({ testId: 'mood-7', testsAuthRequired: false })
  const reza = createParticipant(world, world.emulator.person({ firstName: 'رضا' }), token)
  await reza.walksTo('review')
  await reza.taps(/^submit:/)
  expect(reza.files).toHaveLength(2)
}

story('an older value in the place of a newer one cannot be opened', async ({ meet }) => {
  const sara = await meet({ ...instant, at: 'summary' })
  await sara.world.stop()
  const thief = thiefOf(sara)
  await sara.world.start()
  await sara.walksTo('question')
  await sara.world.stop()
  thief.putValueBack()
  await sara.world.start()
  await isRefused(sara)
})

story('an older document that is put back as a whole while the bot runs is refused', async ({ meet }) => {
  const sara = await meet({ ...instant, at: 'summary' })
  const thief = thiefOf(sara)
  await sara.walksTo('question')
  expect(alarms(sara)).toEqual([])
  thief.putBack()
  await isRefused(sara)
  expect(alarms(sara).length).toBeGreaterThan(0)
})

describe.skipIf(!findRedisServer())('with a real redis-server', () => {
  let server: RedisServer
  beforeAll(async () => {
    server = await startRedis(findRedisServer() ?? '')
  })
  afterAll(() => server.remove())

  story('an older document in Redis is refused', async ({ meet }) => {
    const settings = { ...environment, REDIS_URL: server.url, DATA_KEY: randomBytes(32).toString('base64') }
    const sara = await meet({ record: instant.record, environment: settings })
    await sara.walksTo('summary')
    const redis = new Redis(server.url)
    const [key = ''] = await redis.keys('{porsa}r:*')
    const older = await redis.getBuffer(key)
    await sara.walksTo('question')
    await redis.set(key, older ?? '')
    await isRefused(sara)
    expect(alarms(sara).length).toBeGreaterThan(0)
    redis.disconnect()
  })
})
