import { copyFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Config, loadConfig } from '../../src/config.ts'
import { openStorage, type Storage } from '../../src/open-storage.ts'
import { createBackups, makeCopy, rehearse } from '../../src/storage/copies.ts'
import { createRows } from '../../src/storage/copy-file.ts'
import { openDatabase } from '../../src/storage/sqlite-database.ts'
import { until } from '../until.ts'
import { findRedisServer, startRedis } from './redis-server.ts'
import { temporaryFolder } from './worlds.ts'

const program = findRedisServer()
const stores = program ? ['embedded', 'redis'] : ['embedded']

async function opened(
  kind: string,
  more: NodeJS.ProcessEnv = {},
): Promise<{ config: Config; storage: Storage; dir: string }> {
  const dir = await temporaryFolder()
  const redis = kind === 'redis' ? await startRedis(program ?? '') : undefined
  const loaded = loadConfig({
    ...{
      BOT_TOKEN: '1:a',
      SERVICE_URL: 'https://s/v2',
      SERVICE_KEY: 'k',
      ORGANIZER_NAME: 'o',
      ORGANIZER_CONTACT: 'c',
    },
    ...{ DATA_DIR: join(dir, 'data'), DATA_KEY: Buffer.alloc(32, 1).toString('base64') },
    ...(redis && { REDIS_URL: redis.url }),
    ...more,
  })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const storage = await openStorage(loaded.config)
  onTestFinished(async () => {
    await storage.store.close()
    await redis?.remove()
  })
  return { config: loaded.config, storage, dir }
}

/** What a copy has under a key, and the bodies that wait for an actor. */
async function readCopy(file: string) {
  const dir = await temporaryFolder()
  await copyFile(file, join(dir, 'porsa.db'))
  const db = await openDatabase(dir, 'read')
  const rows = createRows(db)
  const entries = new Map([...rows.entries()].map(({ key, value }) => [key, value.toString()]))
  const messages = [...rows.messages()].map(({ actor, body }) => `${actor} ${body}`)
  const seen = new Set([...rows.seen()].map(({ id }) => id))
  db.close()
  return { entries, messages, seen }
}

describe.each(stores)('%s', (kind) => {
  test('what one step wrote is in a copy together, or not at all, however much is written meanwhile', async () => {
    const { config, storage, dir } = await opened(kind)
    const { store } = storage
    for (let at = 0; at < 3_000; at += 1)
      await store.put({ key: `filler:${at}`, value: Buffer.alloc(200) }, null)
    let isOver = false
    let written = 0
    const writing = (async () => {
      while (!isOver) {
        written += 1
        const value = Buffer.from(String(written))
        await store.post({ actor: 'note:a', id: `post ${written}`, body: value })
        const claim = await store.claim(5_000, ['note'])
        if (!claim) continue
        // The keys lie far apart in a walk; the message moves on to another actor.
        const writes = Array.from({ length: 20 }, (_, at) => ({ key: `pair:${at * 37}`, value }))
        await store.commit(claim, {
          writes,
          posts: [{ actor: 'kept:b', id: `moved ${written}`, once: true, replace: true, body: value }],
        })
      }
    })()
    for (let copies = 0; copies < 5; copies += 1) {
      await new Promise((resolve) => setTimeout(resolve, 30))
      const { file } = await makeCopy(config, join(dir, 'copies'), Date.now())
      const { entries, messages, seen } = await readCopy(file)
      const values = new Set([...entries].flatMap(([key, value]) => (key.startsWith('pair:') ? [value] : [])))
      expect(values.size).toBe(1)
      const [at = ''] = values
      const moved = messages.find((message) => message.startsWith('kept:b'))
      expect(moved).toBe(`kept:b ${at}`)
      // What is posted and not handled yet waits, and nothing that waits is forgotten as an id.
      const waiting = messages.flatMap((message) => (message.startsWith('note:a') ? [message.slice(7)] : []))
      for (const one of [at, ...waiting]) expect(seen.has(`post ${one}`)).toBe(true)
      expect(waiting.every((one) => Number(one) === Number(at) + 1)).toBe(true)
    }
    isOver = true
    await writing
    expect(written).toBeGreaterThan(20)
  })

  test('copies are made in their time by one of several, rehearsed, and the oldest leave', async () => {
    const { config, storage, dir } = await opened(kind)
    const backupDir = join(dir, 'copies')
    const done: unknown[] = []
    const errors: unknown[] = []
    const backups = () =>
      createBackups({
        config: { ...config, backupDir, backupEvery: 60_000 },
        store: storage.store,
        now: Date.now,
        onDone: (copied) => void done.push(copied),
        onError: (error) => void errors.push(error),
      })
    const [one, other] = [backups(), backups()]
    expect(one.age()?.everyMs).toBe(60_000)
    one.start()
    other.start()
    await until(() => done.length > 0, { explain: () => String(errors) })
    await Promise.all([one.stop(), other.stop()])
    expect([done.length, errors]).toEqual([1, []])
    const again = backups()
    again.start()
    await again.stop()
    expect(done).toHaveLength(1)
    expect(again.age()?.ms).toBeLessThan(60_000)
    const [file = '', ...more] = await readdir(backupDir)
    expect([file, more]).toEqual([expect.stringMatching(/^porsa-\d{8}T\d{9}Z\.db$/), []])
  })

  test('a copy is none with another key, or when it is harmed', async () => {
    const { config, dir } = await opened(kind)
    const { file } = await makeCopy(config, join(dir, 'copies'), Date.now())
    await expect(rehearse({ ...config, dataKeys: [Buffer.alloc(32, 2)] }, file)).rejects.toThrow(
      'DATA_KEY does not open this store',
    )
    await writeFile(file, 'sesame')
    await expect(rehearse(config, file)).rejects.toThrow()
  })
})
