import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import { appendHandled } from './child-work.ts'
import { expectNoPersonalData, keepPersonalData } from './contract-secrecy.ts'
import { createClock, KINDS, post, temporaryFolder, textOf } from './worlds.ts'

let dir = ''
beforeAll(async () => {
  dir = await temporaryFolder()
})
afterAll(() => rm(dir, { recursive: true }))

const openStore = (name: string, now = Date.now) => createSqliteStore({ dir: join(dir, name), now })

test('a second store on the same folder is refused in plain words until the first is closed', async () => {
  const first = await openStore('locked')
  await expect(openStore('locked')).rejects.toThrow(/DATA_DIR is in use by another process/)
  await first.close()
  const second = await openStore('locked')
  await second.close()
})

test('a closed store has everything in one file', async () => {
  const store = await openStore('whole')
  await store.put({ key: 'one', value: Buffer.from('1') }, null)
  await store.close()
  expect((await readdir(join(dir, 'whole'))).sort()).toEqual(['porsa.db', 'porsa.lock'])
})

test('a disk that takes no writes is noticed', async () => {
  const store = await openStore('full')
  await store.ping()
  const other = new DatabaseSync(join(dir, 'full', 'porsa.db'))
  other.exec('BEGIN IMMEDIATE')
  await expect(store.ping()).rejects.toThrow()
  other.exec('ROLLBACK')
  await store.ping()
  other.close()
  await store.close()
})

test('the folder and the file are readable by their owner only', async () => {
  const store = await openStore('private')
  await store.put({ key: 'one', value: Buffer.from('1') }, null)
  const modeOf = async (name: string) => ((await stat(join(dir, 'private', name))).mode & 0o777).toString(8)
  expect(await modeOf('.')).toBe('700')
  const names = (await readdir(join(dir, 'private'))).sort()
  expect(names).toEqual(expect.arrayContaining(['porsa.db', 'porsa.db-shm', 'porsa.db-wal', 'porsa.lock']))
  expect(await Promise.all(names.map(modeOf))).toEqual(names.map(() => '600'))
  expect(await store.advice()).toEqual([])
  await chmod(join(dir, 'private'), 0o755)
  expect(await store.advice()).toEqual([expect.stringMatching(/^DATA_DIR can be read by other users/)])
  await store.close()
})

test('files left open to others by an earlier version are closed to them', async () => {
  await mkdir(join(dir, 'open'))
  await writeFile(join(dir, 'open', 'porsa.lock'), '', { mode: 0o644 })
  const store = await openStore('open')
  expect(((await stat(join(dir, 'open', 'porsa.lock'))).mode & 0o777).toString(8)).toBe('600')
  await store.close()
})

test('a folder that cannot be used is named by its setting, without its value', async () => {
  const refused = async (name: string) => String(await openStore(name).catch((error: Error) => error.message))
  await mkdir(join(dir, 'odd', 'porsa.db'), { recursive: true })
  expect(await refused('odd')).toBe('DATA_DIR cannot be used (EISDIR)')
  await mkdir(join(dir, 'broken'))
  await writeFile(
    join(dir, 'broken', 'porsa.db'),
    'no database at all, and long enough to be looked into'.repeat(40),
  )
  expect(await refused('broken')).toMatch(/^DATA_DIR cannot be used \(file is not a database\)$/)
  expect(await readFile(join(dir, 'broken', 'porsa.db'), 'utf8')).toMatch(/^no database at all/)
  expect(await createSqliteStore({ dir: '/proc/self', now: Date.now }).catch(String)).toMatch(
    /DATA_DIR cannot be used \(E[A-Z]+\)/,
  )
  // A failed start has released the lock.
  await rm(join(dir, 'broken', 'porsa.db'))
  await (await openStore('broken')).close()
})

test('deleted values and handled messages leave the files with the next sweep', async () => {
  const clock = createClock()
  const store = await createSqliteStore({ dir: join(dir, 'traceless'), now: clock.now })
  const trace = 'a sealed row of somebody who asked to be forgotten; '
  const value = Buffer.from(trace.repeat(300))
  const stays = Buffer.from('what stays')
  await store.put({ key: 'stays', value: stays }, null)
  for (const key of ['a', 'b', 'c']) await store.put({ key, value }, null)
  await store.post({ ...post('chat:1', 'forget'), body: value })
  const claim = await store.claim(1_000, KINDS)
  const found = async () => {
    const files = await readdir(join(dir, 'traceless'))
    const bytes = await Promise.all(files.map((file) => readFile(join(dir, 'traceless', file))))
    return [trace, stays].map((text) => bytes.some((content) => content.includes(text)))
  }
  expect(await found()).toEqual([true, true])
  if (claim) await store.commit(claim, { writes: ['a', 'b', 'c'].map((key) => ({ key, value: null })) })
  clock.wait(60_000)
  await store.claim(1_000, KINDS)
  expect(await found()).toEqual([false, true])
  await store.close()
})

test('a permanent reader of the file, for a copy elsewhere, does not hold up a sweep', async () => {
  const clock = createClock()
  const store = await openStore('read-along', clock.now)
  /** The shortest of three sweeps. */
  async function sweep(): Promise<number> {
    const times: number[] = []
    for (let turns = 0; turns < 3; turns += 1) {
      await store.post(post('chat:1', `${clock.now()}`))
      clock.wait(60_000)
      const from = performance.now()
      await store.claim(1, KINDS)
      times.push(performance.now() - from)
    }
    return Math.min(...times)
  }
  const alone = await sweep()
  const reader = new DatabaseSync(join(dir, 'read-along', 'porsa.db'))
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM entry').get()
  const beside = await sweep()
  reader.close()
  // Waiting for the reader as for another write took two seconds.
  expect(beside / alone).toBeLessThan(100)
  await store.close()
})

test('of many messages due in the same millisecond one is found without sorting them', async () => {
  const clock = createClock()
  /** The median time of a claim when so many messages are due at once. */
  async function claimAmong(count: number): Promise<number> {
    const store = await createSqliteStore({ dir: join(dir, `crowd-${count}`), now: clock.now })
    const posts = Array.from({ length: count }, (_, index) => store.post(post(`poll:${index}`, `${index}`)))
    await Promise.all(posts)
    const times: number[] = []
    for (let claims = 0; claims < 101; claims += 1) {
      const from = performance.now()
      await store.claim(60_000, KINDS)
      times.push(performance.now() - from)
    }
    await store.close()
    return times.toSorted((one, other) => one - other)[50] ?? Number.NaN
  }
  const [few, many] = [await claimAmong(200), await claimAmong(20_000)]
  // With sorting it was about a hundred times as long.
  expect(many / few).toBeLessThan(10)
})

test('a store of a newer version is left alone', async () => {
  await (await openStore('newer')).close()
  const db = new DatabaseSync(join(dir, 'newer', 'porsa.db'))
  db.exec('PRAGMA user_version = 99')
  db.close()
  await expect(openStore('newer')).rejects.toThrow(/newer version/)
})

test('a claim writes one page at most, a renewed lease nothing', async () => {
  const store = await openStore('lease')
  await store.post(post('chat:1', 'first'))
  const written = async () => (await stat(join(dir, 'lease', 'porsa.db-wal'))).size
  const before = await written()
  const claim = await store.claim(10_000, KINDS)
  // The claim outlives the process, see `lost`.
  const after = await written()
  expect(after - before).toBeLessThanOrEqual(4_096 + 24)
  expect(claim && (await store.renew(claim, 10_000))).toBe(true)
  expect(await store.claim(10_000, KINDS)).toBeUndefined()
  expect(await written()).toBe(after)
  await store.close()
})

test('messages in a file with the former table of actors come in their order', async () => {
  const clock = createClock()
  const first = await openStore('version-2', clock.now)
  for (const id of ['one', 'two']) await first.post(post('chat:1', id))
  await first.post({ ...post('call:1', 'later'), dueAt: clock.now() + 1_000 })
  await first.close()
  const db = new DatabaseSync(join(dir, 'version-2', 'porsa.db'))
  db.exec(`
    CREATE TABLE actor (name TEXT PRIMARY KEY, kind TEXT NOT NULL, ready_at INTEGER NOT NULL, fence TEXT);
    CREATE INDEX actor_by_turn ON actor (kind, ready_at, name);
    INSERT INTO actor VALUES ('chat:1', 'chat', ${clock.now() + 10_000}, 'held'), ('call:1', 'call', ${clock.now() + 1_000}, NULL);
    PRAGMA user_version = 2;
  `)
  db.close()
  const store = await openStore('version-2', clock.now)
  for (const id of ['one', 'two']) {
    const claim = await store.claim(10_000, KINDS)
    expect(claim?.message.id).toBe(id)
    expect(claim && (await store.commit(claim, {}))).toBe('ok')
  }
  expect(await store.claim(10_000, KINDS)).toBeUndefined()
  clock.wait(1_000)
  expect((await store.claim(10_000, KINDS))?.actor).toBe('call:1')
  await store.close()
})

test('expired values are swept from the file', async () => {
  const clock = createClock()
  const store = await createSqliteStore({ dir: join(dir, 'swept'), now: clock.now })
  for (const key of ['a', 'b']) {
    await store.put({ key, value: Buffer.from(key), expiresAt: clock.now() + 1_000 }, null)
    await store.post(post('chat:1', key))
  }
  await store.put({ key: 'stays', value: Buffer.from('stays') }, null)
  clock.wait(25 * 3_600_000)
  await store.claim(1, KINDS)
  await store.close()
  const db = new DatabaseSync(join(dir, 'swept', 'porsa.db'))
  expect(
    db.prepare('SELECT (SELECT count(*) FROM entry) entries, (SELECT count(*) FROM seen) seen').get(),
  ).toEqual({
    // The store's own entries.
    entries: 2,
    seen: 0,
  })
  db.close()
})

test('the files have no personal data in plain text', async () => {
  const store = await openStore('secret')
  await keepPersonalData(store)
  await expectNoPersonalData(join(dir, 'secret'))
  await store.close()
})

test('a process killed in the middle of its work loses and doubles nothing', async () => {
  const actors = ['chat:1', 'chat:2', 'chat:3']
  const ids = Array.from({ length: 400 }, (_, number) => `m${number}`)
  const store = await openStore('killed')
  for (const id of ids) for (const actor of actors) await store.post(post(actor, `${actor}/${id}`))
  await store.close()

  let handledByChildren = 0
  for (let kills = 0; kills < 3; kills++) handledByChildren += await workUntilKilled(join(dir, 'killed'), 40)
  expect(handledByChildren).toBeGreaterThanOrEqual(120)

  // By this clock the claim of the killed process has run out.
  const after = await openStore('killed', () => Date.now() + 1_000)
  let handledHere = 0
  while (await appendHandled(after, 1_000)) handledHere += 1
  expect(handledHere).toBeGreaterThan(0)
  for (const actor of actors) {
    expect(await textOf(after, `done:${actor}`)).toBe(ids.map((id) => `${actor}/${id};`).join(''))
  }
  await after.close()
})

async function workUntilKilled(folder: string, messages: number): Promise<number> {
  const child = spawnTypeScript('./sqlite-child.ts', { CHILD_DIR: folder })
  let handled = 0
  let errors = ''
  child.stderr?.on('data', (data) => {
    errors += data
  })
  child.stdout?.on('data', (data: Buffer) => {
    handled += data.toString().split('\n').length - 1
    if (handled >= messages) child.kill('SIGKILL')
  })
  const [, signal] = await once(child, 'exit')
  if (signal !== 'SIGKILL') throw new Error(`the child ended by itself: ${errors}`)
  return handled
}

/** Node 20 does not run TypeScript; the compiler of the tests compiles the child process too. */
function spawnTypeScript(file: string, env: Record<string, string>): ChildProcess {
  const module = fileURLToPath(new URL(file, import.meta.url))
  const run = `import { runnerImport } from 'vite'; await runnerImport(${JSON.stringify(module)}, { configFile: false })`
  return spawn(process.execPath, ['--input-type=module', '-e', run], { env: { ...process.env, ...env } })
}
