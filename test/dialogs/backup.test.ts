import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { Redis } from 'ioredis'
import { describe, expect } from 'vitest'
import { findRedisServer, startRedis } from '../storage/redis-server.ts'
import { temporaryFolder } from '../storage/worlds.ts'
import { until } from '../until.ts'
import { knownPerson } from './short-tests.ts'
import { type Participant, story } from './walk.ts'

const program = findRedisServer()

/** What was answered after the backup is asked again, and the test comes to its end. */
async function goesOnFromTheBackup(sara: Participant): Promise<void> {
  await sara.opens()
  expect(sara.question.position).toBe(2)
  await sara.answers(2, 0)
  await sara.goesOn()
  expect(sara.submissions).toMatchObject([{ record: ['q1o2', 'q2o3', 'q3o1'], accepted: true }])
}

story('the embedded store comes back from a copy that was taken while the bot ran', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...knownPerson() })
  const { env, restarts } = sara.world
  await sara.answers(1)
  const restored = join(dirname(env.DATA_DIR ?? ''), 'restored')
  await mkdir(restored)
  // What `sqlite3 porsa.db "VACUUM INTO '…'"` does.
  const db = new DatabaseSync(join(env.DATA_DIR ?? '', 'porsa.db'))
  db.exec(`VACUUM INTO '${join(restored, 'porsa.db')}'`)
  db.close()
  await sara.answers(0)
  await expect(restarts({ DATA_DIR: restored })).rejects.toThrow('DATA_KEY does not open this store')
  await restarts({ DATA_DIR: restored, DATA_KEY_FILE: `${env.DATA_DIR}.key` })
  await goesOnFromTheBackup(sara)
})

describe.skipIf(!program)('with a real redis-server', () => {
  story('Redis comes back from a dump, with its append-only file', async ({ meet }) => {
    const redisServer = program ?? ''
    const first = await startRedis(redisServer)
    const environment = { REDIS_URL: first.url, DATA_KEY: randomBytes(32).toString('base64') }
    const sara = await meet({ at: 'question', ...knownPerson(), environment })
    await sara.answers(1)
    const dump = await saved(first.url)
    await sara.answers(0)
    await sara.world.stop()
    await first.remove()

    const second = await startRedis(redisServer, ['--save', '', '--appendonly', 'no', '--dir', dump])
    const redis = new Redis(second.url)
    await redis.config('SET', 'appendonly', 'yes')
    await until(async () =>
      /aof_enabled:1[\s\S]*aof_rewrite_in_progress:0/.test(await redis.info('persistence')),
    )
    redis.disconnect()
    await second.kill()
    await rm(join(dump, 'dump.rdb'))
    const third = await startRedis(redisServer, ['--save', '', '--appendonly', 'yes', '--dir', dump])
    await sara.world.start({ REDIS_URL: third.url })
    await goesOnFromTheBackup(sara)
    await sara.world.stop()
    await third.remove()
    await rm(dump, { recursive: true })
  })
})

/** A folder with a dump of this Redis. */
async function saved(url: string): Promise<string> {
  const redis = new Redis(url)
  await redis.save()
  const [, dir = ''] = await redis.config('GET', 'dir').then((reply) => reply as string[])
  redis.disconnect()
  const folder = await temporaryFolder()
  await copyFile(join(dir, 'dump.rdb'), join(folder, 'dump.rdb'))
  return folder
}
