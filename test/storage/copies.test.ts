import { chown, copyFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { type Config, loadConfig } from '../../src/config.ts'
import { DAY_MS, HOUR_MS } from '../../src/domain/durations.ts'
import { openStorage, type Storage } from '../../src/open-storage.ts'
import { createBackups } from '../../src/storage/backups.ts'
import { claimStore } from '../../src/storage/bot-of-store.ts'
import { type Copied, makeCopy, putBack, rehearse } from '../../src/storage/copies.ts'
import { createRows } from '../../src/storage/copy-file.ts'
import { document, putDocument, readDocument } from '../../src/storage/documents.ts'
import { copyRedis, refuseOthers } from '../../src/storage/redis-copy.ts'
import { lockFolder, openDatabase } from '../../src/storage/sqlite-database.ts'
import type { Store } from '../../src/storage/store.ts'
import { startCountingProxy } from '../../tools/bench/counting-proxy.ts'
import { until } from '../until.ts'
import { findRedisServer, startRedis } from './redis-server.ts'
import { temporaryFolder } from './worlds.ts'

const program = findRedisServer()
const stores = program ? ['embedded', 'redis'] : ['embedded']

async function settled(kind: string): Promise<{ config: Config; dir: string }> {
  const dir = await temporaryFolder()
  const redis = kind === 'redis' ? await startRedis(program ?? '') : undefined
  onTestFinished(() => redis?.remove())
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
  })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return { config: loaded.config, dir }
}

async function opened(kind: string) {
  const { config, dir } = await settled(kind)
  const storage = await openStorage(config)
  onTestFinished(() => storage.store.close())
  return { config, storage, dir }
}

/** All rows of a copy, each table in a fixed order. */
async function rowsOf(file: string) {
  const dir = await temporaryFolder()
  await copyFile(file, join(dir, 'porsa.db'))
  const db = await openDatabase(dir, 'read')
  const rows = createRows(db)
  const sorted = <T extends { id: string }>(all: Iterable<T>) =>
    [...all].toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const all = {
    ...{ entries: [...rows.entries()], messages: [...rows.messages()] },
    seen: sorted(rows.seen()),
  }
  db.close()
  return all
}

/** The values of a copy by key, and the bodies that wait for an actor. */
async function readCopy(file: string) {
  const rows = await rowsOf(file)
  const entries = new Map(rows.entries.map(({ key, value }) => [key, value.toString()]))
  const messages = rows.messages.map(({ actor, body }) => `${actor} ${body}`)
  return { entries, messages, seen: new Set(rows.seen.map(({ id }) => id)) }
}

/** The backups of a bot, with their results. */
function backupsOf(config: Config, store: Pick<Store, 'readAt' | 'put'>) {
  const done: Copied[] = []
  const errors: unknown[] = []
  const onDone = (copied: Copied) => void done.push(copied)
  const onError = (error: unknown) => void errors.push(error)
  return { ...createBackups({ config, store, now: Date.now, onDone, onError }), done, errors }
}

const isRoot = process.getuid?.() === 0
const notes = document('n', { schema: z.object({ of: z.number() }) })

/** Something of each kind, more than is read or written at once. */
async function fill({ store, vault }: Storage): Promise<void> {
  const at = Date.now()
  const term = { now: at, retentionDays: 30 }
  for (let of = 0; of < 3; of += 1) await putDocument({ store, vault, term }, notes, String(of), { of })
  await store.put({ key: 'n:harmed', value: Buffer.from('no document') }, null)
  await store.put({ key: 's:attempt', value: Buffer.alloc(200), expiresAt: at + HOUR_MS + 0.25 }, null)
  for (let of = 0; of < 700; of += 1) await store.put({ key: `budget:${of}`, value: Buffer.of(of) }, null)
  const post = (actor: string, id: string, more = {}) =>
    store.post({ actor, id, body: Buffer.from(id), ...more })
  for (let of = 0; of < 600; of += 1) await post(`many:${of % 7}`, `many ${of}`)
  await post('later:a', 'later', { dueAt: at + HOUR_MS })
  await post('held:a', 'held')
  await store.claim(5_000, ['held'])
  await post('again:a', 'again')
  const again = await store.claim(5_000, ['again'])
  if (!again) throw new Error('nothing to claim')
  await store.begin(again, 5_000)
  const lists = [
    { id: 'one', list: 'answering', at: at - 5 },
    { id: 'two', list: 'stuck', at: at - 9 },
  ]
  await store.commit(again, { lists, retryAt: at, staysBegun: true })
}

describe.each(stores)('%s', (kind) => {
  test('a copy has all writes of a commit or none, however much is written meanwhile', async () => {
    const { config, storage, dir } = await opened(kind)
    const { store } = storage
    for (let at = 0; at < 3_000; at += 1)
      await store.put({ key: `budget:${at}`, value: Buffer.alloc(200) }, null)
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
        const writes = Array.from({ length: 20 }, (_, at) => ({ key: `trouble:${at * 37}`, value }))
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
      const values = new Set(
        [...entries].flatMap(([key, value]) => (key.startsWith('trouble:') ? [value] : [])),
      )
      expect(values.size).toBe(1)
      const [at = ''] = values
      const moved = messages.find((message) => message.startsWith('kept:b'))
      expect(moved).toBe(`kept:b ${at}`)
      // A post that is not handled yet waits, and the id of each waiting one is known.
      const waiting = messages.flatMap((message) => (message.startsWith('note:a') ? [message.slice(7)] : []))
      for (const one of [at, ...waiting]) expect(seen.has(`post ${one}`)).toBe(true)
      expect(waiting.every((one) => Number(one) === Number(at) + 1)).toBe(true)
    }
    isOver = true
    await writing
    expect(written).toBeGreaterThan(20)
  })

  test.each(stores)(
    'the content of a store is in its copy, and is restored from there into: %s',
    async (other) => {
      const [{ config, storage, dir }, target] = [await opened(kind), await settled(other)]
      await fill(storage)
      const before = await openStorage(target.config)
      await before.store.put({ key: 'budget:old', value: Buffer.of(1) }, null)
      await before.store.close()
      const folder = join(dir, 'copies')
      const { file, copied } = await makeCopy(config, folder, Date.UTC(2026, 10, 27, 9, 30))
      expect(file).toBe(join(folder, 'porsa-20261127T093000000Z.db'))
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      // The keyring is one of the documents that the store keeps for itself.
      expect(copied).toMatchObject({ documents: 4, attempts: 1, messages: 603, harmed: 1 })
      await mkdir(target.config.dataDir, { recursive: true })
      // If root restores for another user, the files are that user's.
      if (isRoot) await chown(target.config.dataDir, 1_234, 1_235)
      await putBack(target.config, file)
      const names = await readdir(target.config.dataDir)
      expect(names.filter((name) => !/^porsa\.(db|lock)$/.test(name))).toEqual([])
      for (const name of isRoot ? names : []) {
        const { uid, gid } = await stat(join(target.config.dataDir, name))
        expect([uid, gid]).toEqual([1_234, 1_235])
      }
      const { store, ...restored } = await openStorage(target.config)
      onTestFinished(() => store.close())
      // The copy does not know what was sent since it was made.
      expect(await store.life()).not.toBe(await storage.store.life())
      const copy = await makeCopy(target.config, folder, Date.now())
      expect(await rowsOf(copy.file)).toEqual(await rowsOf(file))
      expect(await readDocument({ store, vault: restored.vault }, notes, '2')).toEqual({ of: 2 })
      // Redis copies have no lists, and no lists are restored to Redis: they are counted again.
      const isKept = kind === 'embedded' && other === 'embedded'
      expect(await store.counts([{ list: 'answering', from: 0 }])).toEqual([isKept ? 1 : 0])
      expect(await store.claim(5_000, ['later'])).toBeUndefined()
      expect((await store.claim(5_000, ['again']))?.message).toMatchObject({ retries: 1, begun: true })
      expect((await store.claim(5_000, ['held']))?.message.retries).toBe(0)
      for (const number of [0, 1]) {
        const claim = await store.claim(5_000, ['many'])
        expect(claim?.message.id).toBe(`many ${number}`)
      }
      expect(await store.post({ actor: 'many:0', id: 'many 7', body: Buffer.alloc(1) })).toBe('duplicate')
      expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([])
    },
  )

  test('one of several replicas makes each copy in time, rehearses it, and deletes the oldest', async () => {
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
    expect(one.ageMs()).toBeUndefined()
    one.start()
    other.start()
    await until(() => done.length > 0, { explain: () => String(errors) })
    await Promise.all([one.stop(), other.stop()])
    expect([done.length, errors]).toEqual([1, []])
    const again = backups()
    again.start()
    await again.stop()
    expect(done).toHaveLength(1)
    expect(again.ageMs()).toBeLessThan(60_000)
    const [file = '', ...more] = await readdir(backupDir)
    expect([file, more]).toEqual([expect.stringMatching(/^porsa-\d{8}T\d{9}Z\.db$/), []])
  })

  test('a copy that another replica has begun is waited for, for an hour; seven copies are kept', async () => {
    const { config, storage, dir } = await opened(kind)
    const { store } = storage
    const backupDir = join(dir, 'copies')
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)
    const old = Array.from({ length: 9 }, (_, day) => `porsa-2026010${day + 1}T000000000Z.db`)
    await mkdir(backupDir)
    for (const name of [...old, 'porsa.txt']) await writeFile(join(backupDir, name), '')
    for (const [name, days] of [
      ['.copy-old', 2] as const,
      ['.rehearsal-old', 2] as const,
      ['.copy-new', 0] as const,
    ]) {
      await mkdir(join(backupDir, name))
      await utimes(join(backupDir, name), daysAgo(days), daysAgo(days))
    }
    const errors: unknown[] = []
    const look = async () => {
      const backups = backupsOf({ ...config, backupDir, backupEvery: 2 * HOUR_MS }, store)
      backups.start()
      await backups.stop()
      errors.push(...backups.errors)
      return { done: backups.done.length, age: backups.ageMs() ?? Number.NaN }
    }
    const note = async (minutesAgo: { begunAt: number; at?: number }) => {
      const { at, entry } = await store.readAt('backup')
      const ago = Object.entries(minutesAgo).map(([name, minutes]) => [name, at - minutes * 60_000])
      const value = Buffer.from(JSON.stringify(Object.fromEntries(ago)))
      await store.put({ key: 'backup', value }, entry?.version ?? null)
    }
    await note({ begunAt: 59 })
    expect((await look()).done).toBe(0)
    await note({ begunAt: 119, at: 119 })
    const { done, age } = await look()
    expect([done, age > 118 * 60_000, age < 121 * 60_000]).toEqual([0, true, true])
    await note({ begunAt: 61 })
    const { age: own, done: made } = await look()
    expect([made, own < 60_000, errors]).toEqual([1, true, []])
    const names = await readdir(backupDir)
    expect(names).toEqual(expect.arrayContaining(['.copy-new', 'porsa.txt', ...old.slice(3)]))
    expect(names).toHaveLength(9)
    const { entry, at } = await store.readAt('backup')
    const noted = JSON.parse(String(entry?.value))
    expect([noted.at === noted.begunAt, at - noted.at < 60_000]).toEqual([true, true])
    await note({ begunAt: 121, at: 121 })
    expect((await look()).done).toBe(1)
    // A time noted while the clock was ahead stops no copies.
    for (const ahead of [{ begunAt: -121, at: -121 }, { begunAt: -61 }]) {
      await note(ahead)
      expect((await look()).done).toBe(1)
    }
    // A copy begun since then is waited for all the same.
    await note({ begunAt: 1, at: -121 })
    expect((await look()).done).toBe(0)
    // The faster replica makes the copy.
    await note({ begunAt: 121, at: 121 })
    const other = {
      ...store,
      readAt: async (key: string) => ({ ...(await store.readAt(key)), entry: undefined }),
    }
    const slower = backupsOf({ ...config, backupDir }, other)
    slower.start()
    await slower.stop()
    expect([slower.done, slower.errors, errors]).toEqual([[], [], []])
  })

  test('the end of a copy is noted although another process writes in between', async () => {
    const { config, storage, dir } = await opened(kind)
    const { store } = storage
    let puts = 0
    const crowded: Pick<Store, 'readAt' | 'put'> = {
      readAt: store.readAt,
      async put(write, version) {
        puts += 1
        if (puts === 2) await store.put({ ...write, value: Buffer.from('{"begunAt":0}') }, version)
        return store.put(write, version)
      },
    }
    const settings = { ...config, backupDir: join(dir, 'copies'), backupEvery: DAY_MS }
    const backups = backupsOf(settings, crowded)
    backups.start()
    await backups.stop()
    expect([backups.done.length, backups.errors, puts]).toEqual([1, [], 3])
    const { entry } = await store.readAt('backup')
    expect(JSON.parse(String(entry?.value))).toHaveProperty('at')
  })

  test('a failed copy is tried again ten minutes later', async () => {
    const { config, storage, dir } = await opened(kind)
    const backupDir = join(dir, 'copies')
    await writeFile(backupDir, 'no folder')
    const look = async () => {
      const backups = backupsOf({ ...config, backupDir, backupEvery: DAY_MS }, storage.store)
      backups.start()
      await backups.stop()
      const told = await backups.check().catch((error: unknown) => error)
      return [backups.errors.length, backups.done.length, told]
    }
    expect(await look()).toEqual([1, 0, new Error('the folder for copies cannot be written (EEXIST)')])
    await rm(backupDir)
    expect(await look()).toEqual([0, 0, undefined])
    const { entry } = await storage.store.readAt('backup')
    const { begunAt } = JSON.parse(String(entry?.value)) as { begunAt: number }
    const later = Buffer.from(JSON.stringify({ begunAt: begunAt - HOUR_MS / 6 }))
    await storage.store.put({ key: 'backup', value: later }, entry?.version ?? null)
    expect(await look()).toEqual([0, 1, undefined])
  })

  test('a copy is refused with another key, or when it is harmed', async () => {
    const { config, dir } = await opened(kind)
    const { file } = await makeCopy(config, join(dir, 'copies'), Date.now())
    await expect(rehearse({ ...config, dataKeys: [Buffer.alloc(32, 2)] }, file)).rejects.toThrow(
      'DATA_KEY does not open this store',
    )
    await writeFile(file, 'sesame')
    await expect(rehearse(config, file)).rejects.toThrow()
    // A folder that even root cannot write to.
    await expect(rehearse(config, '/proc/version')).rejects.toThrow('the folder for copies cannot be written')
    await expect(rehearse(config, file, { isThorough: true })).rejects.toThrow('neither a store nor a copy')
  })
})

test('harmed documents of every kind are counted', async () => {
  const { config, storage, dir } = await opened('embedded')
  const files = await readdir('src/storage', { recursive: true })
  const sources = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFile(join('src/storage', file), 'utf8'))
  const prefixes = (await Promise.all(sources)).join().matchAll(/\bdocument\(\s*'([a-z]+)'/g)
  const kinds = [...prefixes].flatMap(([, prefix]) => (prefix === 'session' ? [] : [prefix]))
  expect(kinds).toContain('roll')
  const term = { now: Date.now(), retentionDays: 30 }
  await putDocument({ ...storage, term }, notes, 'sound', { of: 1 })
  for (const kind of kinds)
    await storage.store.put({ key: `${kind}:harmed`, value: Buffer.from('no document') }, null)
  const { copied } = await makeCopy(config, join(dir, 'copies'), Date.now())
  expect(copied).toMatchObject({ documents: kinds.length + 1, harmed: kinds.length })
})

test('a copy with a harmed page is refused, whichever page it is', async () => {
  const { config, storage, dir } = await opened('embedded')
  await fill(storage)
  const { file } = await makeCopy(config, join(dir, 'copies'), Date.now())
  const whole = await readFile(file)
  const pageBytes = whole.readUInt16BE(16)
  const accepted: number[] = []
  for (let at = pageBytes; at < whole.length; at += pageBytes) {
    // Inner and outer pages of tables and indexes.
    if (![2, 5, 10, 13].includes(whole[at] ?? 0)) continue
    const harmed = Buffer.from(whole)
    harmed[at] = 0xff
    await writeFile(file, harmed)
    await rehearse(config, file, { isThorough: true }).then(
      () => accepted.push(at),
      (error: unknown) => expect(String(error)).toContain('is damaged'),
    )
  }
  expect(accepted).toEqual([])
  await writeFile(file, whole)
  expect((await rehearse(config, file, { isThorough: true })).harmed).toBe(1)
})

test('nothing is copied without a store, without a keyring, or if the key opens nothing', async () => {
  const { config, dir } = await settled('embedded')
  const folder = join(dir, 'copies')
  await expect(makeCopy(config, folder, 0)).rejects.toThrow('there is no store in DATA_DIR yet')
  await expect(readdir(folder)).rejects.toThrow('ENOENT')
  const { store } = await openStorage(config)
  onTestFinished(() => store.close())
  const { file } = await makeCopy(config, folder, 0)
  expect(
    await rehearse(config, file, {
      act: async (copy) => copy.store.put({ key: 'a', value: Buffer.of() }, null),
    }),
  ).toEqual({
    ...{ documents: 0, attempts: 0, messages: 0, harmed: 0 },
  })
  await store.put({ key: 'n:harmed', value: Buffer.from('no document') }, null)
  await expect(makeCopy(config, folder, 1)).rejects.toThrow('nothing in the copy opens with this key')
  const [keyring] = await store.read(['keyring'])
  await store.put({ key: 'keyring', value: null }, keyring?.version ?? null)
  await expect(makeCopy(config, folder, 2)).rejects.toThrow('there is no keyring in it')
  expect(await readdir(folder)).toHaveLength(1)
})

test('a folder that cannot be locked is named by its setting', async () => {
  const { dir } = await settled('embedded')
  await mkdir(join(dir, 'porsa.lock'))
  await expect(lockFolder(dir)).rejects.toThrow(/^DATA_DIR cannot be used \(EISDIR\)$/)
})

test('a copy is reported as too old once it is older than twice the interval', async () => {
  const { config, storage, dir } = await opened('embedded')
  let now = Date.now()
  const backups = createBackups({
    config: { ...config, backupDir: join(dir, 'copies'), backupEvery: HOUR_MS },
    ...{ store: storage.store, now: () => now, onDone: () => undefined, onError: () => undefined },
  })
  const isLate = async () =>
    backups.check().then(
      () => false,
      () => true,
    )
  const startedAt = now
  now = startedAt + 2 * HOUR_MS
  expect(await isLate()).toBe(false)
  now += 1
  expect([await isLate(), backups.ageMs()]).toEqual([true, undefined])
  backups.start()
  await backups.stop()
  const madeAt = now - (backups.ageMs() ?? Number.NaN)
  now = madeAt + 2 * HOUR_MS
  expect(await isLate()).toBe(false)
  now += 1
  expect(await isLate()).toBe(true)
})

test('a bot checks every minute whether a copy is due', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { config, storage, dir } = await opened('embedded')
  const backups = backupsOf({ ...config, backupDir: join(dir, 'copies'), backupEvery: 1 }, storage.store)
  const { done, errors } = backups
  backups.start()
  for (const copies of [1, 2]) {
    await until(() => done.length === copies, { explain: () => String(errors) })
    vi.advanceTimersByTime(60_000)
  }
  await backups.stop()
  expect([done.length, vi.getTimerCount(), errors]).toEqual([3, 0, []])
})

test('the log of a killed bot does not stay beside the copy that replaces its store', async () => {
  const { config, storage, dir } = await opened('embedded')
  const { file } = await makeCopy(config, join(dir, 'copies'), 0)
  await storage.store.put({ key: 'budget:old', value: Buffer.of(1) }, null)
  const killed = { ...config, dataDir: join(dir, 'killed') }
  await mkdir(killed.dataDir)
  for (const name of ['porsa.db', 'porsa.db-wal'])
    await copyFile(join(config.dataDir, name), join(killed.dataDir, name))
  await putBack(killed, file)
  const { store } = await openStorage(killed)
  onTestFinished(() => store.close())
  expect(await store.read(['budget:old'])).toEqual([undefined])
})

test('without a folder nothing is copied', async () => {
  const { config, storage } = await opened('embedded')
  const backups = backupsOf(config, storage.store)
  backups.start()
  await backups.stop()
  await backups.check()
  expect(backups.ageMs()).toBeUndefined()
  expect((await storage.store.readAt('backup')).entry).toBeUndefined()
})

test.skipIf(!program)('a copy of Redis fails if a reply to it is lost', async () => {
  const { config } = await opened('redis')
  const proxy = await startCountingProxy(Number(new URL(config.redisUrl ?? '').port), '\r\nchanged\r\n')
  const db = await openDatabase(await temporaryFolder())
  const copied = copyRedis(`redis://127.0.0.1:${proxy.port}`, createRows(db))
  await expect(copied).rejects.toThrow('its connection broke: try again')
  db.close()
  await proxy.close()
})

test.skipIf(!program)('Redis is copied and restored as a whole or not at all', async () => {
  const { config, storage, dir } = await opened('redis')
  const redis = new Redis(config.redisUrl ?? '', { keyPrefix: '{porsa}' })
  onTestFinished(() => void redis.disconnect())
  await storage.store.post({ actor: 'chat:a', id: '1', body: Buffer.of(1) })
  // Harmed, so that no worker can handle it.
  await redis.rpush('#q:chat:a', 'x')
  const { file, copied } = await makeCopy(config, join(dir, 'copies'), 0)
  expect(copied.messages).toBe(1)
  await expect(putBack(config, file)).rejects.toThrow('a bot is running on this Redis: stop every replica')
  expect(await redis.exists('#restoring')).toBe(0)
  await redis.set('#restoring', '1')
  await expect(makeCopy(config, join(dir, 'copies'), 1)).rejects.toThrow('a copy was being put back')
})

test.skipIf(!program)('a copy is not restored over the store of another bot', async () => {
  const { config, storage } = await opened('redis')
  const url = config.redisUrl ?? ''
  await claimStore(storage.store, '2')
  await refuseOthers(`${url}/1`, '1')
  await expect(refuseOthers(url, '2')).rejects.toThrow('a bot is running on this Redis')
  await storage.store.close()
  await refuseOthers(url, '2')
  await expect(refuseOthers(url, '1')).rejects.toThrow('REDIS_URL has the store of another bot')
})
