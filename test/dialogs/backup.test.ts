import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { porsa } from '../../src/cli/commands.ts'
import { captured } from '../cli/world.ts'
import { findRedisServer, type RedisServer, startRedis } from '../storage/redis-server.ts'
import { until } from '../until.ts'
import { knownPerson } from './short-tests.ts'
import { type Participant, story } from './walk.ts'

const program = findRedisServer()

type Env = NodeJS.ProcessEnv

async function command(env: Env, ...argv: string[]) {
  const { lines, output } = captured()
  const code = await porsa(argv, env, output)
  return { code, out: lines.out.join('\n'), err: lines.err.join('\n') }
}

const folderOf = (env: Env) => join(dirname(env.DATA_DIR ?? ''), 'copies')

/** Makes a copy while the bot runs. Returns its file. */
async function backedUp(env: Env): Promise<string> {
  const { code, out, err } = await command(env, 'backup', folderOf(env))
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/porsa-\d{8}T\d{9}Z\.db: [1-9]\d* documents, 1 tests under way, \d+ messages$/)
  return out.slice(0, out.indexOf(': '))
}

/** The bot asks the question answered after the copy again, and the participant finishes the test. */
async function goesOnFromTheBackup(sara: Participant): Promise<void> {
  await sara.opens()
  expect(sara.question.position).toBe(2)
  await sara.answers(2, 0)
  await sara.goesOn()
  expect(sara.submissions).toMatchObject([{ record: ['q1o2', 'q2o3', 'q3o1'], accepted: true }])
}

/** A participant begins a test; a copy is made, one more answer is given, and the copy is restored. */
async function comesBack(sara: Participant, env: Env, changes: Record<string, string> = {}): Promise<void> {
  await sara.answers(1)
  const file = await backedUp(env)
  await sara.answers(0)
  const running = await command({ ...env, ...changes }, 'restore', file)
  if (Object.keys(changes).length === 0) {
    // A restore that is refused copies nothing.
    expect(await readdir(folderOf(env))).toEqual([basename(file)])
    expect([running.code, running.err]).toEqual([
      1,
      expect.stringMatching(/stop every replica|in use by another process/),
    ])
  }
  await sara.world.stop()
  const restored = await command({ ...env, ...changes }, 'restore', file)
  expect([restored.err, restored.code]).toEqual(['', 0])
  expect(restored.out).toContain('the copy opens with the key')
  await sara.world.start(changes)
  await goesOnFromTheBackup(sara)
  expect((await readdir(folderOf(env))).filter((name) => name.startsWith('.'))).toEqual([])
}

story('the embedded store can be restored from a copy that was made while the bot ran', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...knownPerson() })
  await comesBack(sara, sara.world.env)
})

/** Ways in which the file of a store can be damaged. */
const damages: Record<string, (file: string) => Promise<void>> = {
  garbage: (file) => writeFile(file, Buffer.alloc(100_000, 'x')),
  'cut in half': async (file) => truncate(file, Math.floor((await stat(file)).size / 2)),
  'overwritten in its midst': async (file) => {
    const bytes = await readFile(file)
    await writeFile(file, bytes.fill('x', 4_096, bytes.length - 4_096))
  },
  empty: (file) => truncate(file, 0),
}

story.for(Object.keys(damages))('a copy can be restored over a store that is %s', async (how, { meet }) => {
  const sara = await meet({ at: 'question', ...knownPerson() })
  const { env, stop, start } = sara.world
  await sara.answers(1)
  const file = await backedUp(env)
  await stop()
  const store = join(env.DATA_DIR ?? '', 'porsa.db')
  await damages[how]?.(store)
  // A killed process can leave such a file beside the store.
  await writeFile(`${store}-wal`, 'x')
  const damaged = await readFile(store)
  const restored = await command(env, 'restore', file)
  expect([restored.err, restored.code]).toEqual(['', 0])
  const [, aside = ''] = /is damaged: it is kept in DATA_DIR as (\S+)/.exec(restored.out) ?? []
  expect((await readFile(join(env.DATA_DIR ?? '', aside))).equals(damaged)).toBe(true)
  await start()
  await goesOnFromTheBackup(sara)
})

story('restore refuses to replace a store that opens with another key', async ({ meet }) => {
  const keys = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'))
  const sara = await meet({
    at: 'question',
    ...knownPerson(),
    environment: { DATA_KEY: keys[0] ?? '' },
  })
  const { env, stop, start } = sara.world
  await sara.answers(1)
  await stop()
  // The copy has the new key; the store that it would replace still has the old one.
  const store = join(env.DATA_DIR ?? '', 'porsa.db')
  const old = await readFile(store)
  await start({ DATA_KEY: keys.toReversed().join() })
  await stop()
  const file =
    (await command({ ...env, DATA_KEY: keys[1] }, 'backup', folderOf(env))).out.split(': ')[0] ?? ''
  await writeFile(store, old)
  const restored = await command({ ...env, DATA_KEY: keys[1] }, 'restore', file)
  expect([restored.code, restored.err]).toEqual([
    1,
    expect.stringContaining('what stands in its place opens with another key'),
  ])
  expect(await command({ ...env, DATA_KEY: keys.toReversed().join() }, 'restore', file)).toMatchObject({
    code: 0,
  })
})

story('a copy can be restored into an empty folder with the key of the old one', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...knownPerson() })
  const { env } = sara.world
  const other = join(dirname(env.DATA_DIR ?? ''), 'other')
  expect(
    await command({ ...env, DATA_DIR: other }, 'restore', await backedUp(env).catch(() => '')),
  ).toMatchObject({
    code: 1,
  })
  await comesBack(sara, env, { DATA_DIR: other, DATA_KEY_FILE: `${env.DATA_DIR}.key` })
})

describe.skipIf(!program)('with a real redis-server', () => {
  const withRedis = async (act: (servers: RedisServer[], env: Record<string, string>) => Promise<void>) => {
    const servers = [await startRedis(program ?? ''), await startRedis(program ?? '')]
    const env = { REDIS_URL: servers[0]?.url ?? '', DATA_KEY: randomBytes(32).toString('base64') }
    await act(servers, env).finally(() => Promise.all(servers.map((server) => server.remove())))
  }

  story('Redis can be restored from a copy that was made while the bot ran', async ({ meet }) => {
    await withRedis(async (_, environment) => {
      const sara = await meet({ at: 'question', ...knownPerson(), environment })
      await comesBack(sara, sara.world.env)
    })
  })

  story('a copy of one Redis can be restored into another one', async ({ meet }) => {
    await withRedis(async ([, other], environment) => {
      const sara = await meet({ at: 'question', ...knownPerson(), environment })
      await comesBack(sara, sara.world.env, { REDIS_URL: other?.url ?? '' })
    })
  })

  story('a copy of the embedded store can be restored into Redis, and back', async ({ meet }) => {
    await withRedis(async (_, environment) => {
      const sara = await meet({
        at: 'question',
        ...knownPerson(),
        environment: { DATA_KEY: environment.DATA_KEY ?? '' },
      })
      await comesBack(sara, sara.world.env, environment)
      const copy = await command({ ...sara.world.env, ...environment }, 'backup', folderOf(sara.world.env))
      await sara.world.stop()
      const back = join(dirname(sara.world.env.DATA_DIR ?? ''), 'back')
      const env = { ...sara.world.env, DATA_DIR: back }
      expect(await command(env, 'restore', copy.out.slice(0, copy.out.indexOf(': ')))).toMatchObject({
        code: 0,
      })
      await sara.world.start({ DATA_DIR: back })
      await sara.opens()
      expect(sara.submissions).toHaveLength(1)
    })
  })
})

story('a copy does not bring back a participant who was forgotten after it was made', async ({ meet }) => {
  const sara = await meet({ at: 'question', ...knownPerson() })
  const { env } = sara.world
  const file = await backedUp(env)
  await sara.forgets()
  await sara.world.stop()
  const { code, out } = await command(env, 'restore', file)
  expect([code, out]).toEqual([0, expect.stringContaining('1 people who were forgotten')])
  // The command uses the real time; a world that other stories have used may be behind it.
  sara.world.pass(Math.max(0, Date.now() - sara.world.now()))
  await sara.world.start()
  const isGone = async () => (await command(env, 'backup', folderOf(env))).out.includes(' 0 tests under way')
  await until(isGone, { explain: () => sara.world.lines.join('\n') })
})
