import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { openStorage, type Storage } from '../../src/open-storage.ts'
import { findRedisServer, startRedis } from '../storage/redis-server.ts'
import { temporaryFolder } from '../storage/worlds.ts'
import { builtPackage } from './package.ts'

const program = findRedisServer()
const DOCUMENTS = 4_000
const AT_ONCE = 100

/** A store with many values, and the built command. */
async function filled(kind: string) {
  const dir = await temporaryFolder()
  const redis = kind === 'redis' ? await startRedis(program ?? '') : undefined
  onTestFinished(() => redis?.remove())
  const env = {
    ...{
      BOT_TOKEN: '1:a',
      SERVICE_URL: 'https://s/v2',
      SERVICE_KEY: 'k',
      ORGANIZER_NAME: 'o',
      ORGANIZER_CONTACT: 'c',
    },
    ...{ DATA_DIR: join(dir, 'data'), DATA_KEY: randomBytes(32).toString('base64') },
    ...(redis && { REDIS_URL: redis.url }),
  }
  const loaded = loadConfig(env)
  if (!loaded.ok) throw new Error('bad settings')
  const { config } = loaded
  async function within<T>(act: (storage: Storage) => Promise<T>): Promise<T> {
    const storage = await openStorage(config)
    return act(storage).finally(() => storage.store.close())
  }
  const keys = Array.from({ length: DOCUMENTS }, (_, at) => `budget:${at}`)
  const put = (text: string) =>
    within(async ({ store }) => {
      const entries = await store.read(keys)
      const value = Buffer.from(text.repeat(300))
      const writes = keys.map((key, at) => () => store.put({ key, value }, entries[at]?.version ?? null))
      while (writes.length > 0) await Promise.all(writes.splice(-AT_ONCE).map((write) => write()))
    })
  const kinds = () =>
    within(async ({ store }) => {
      const entries = await store.read(keys)
      return [...new Set(entries.map((entry) => entry?.value.toString('utf8', 0, 1)))]
    })
  const porsa = join(await builtPackage(), 'dist/cli/porsa.js')
  /** Runs the command, and kills it after this time if it is still running. */
  async function run(args: string[], killAfterMs?: number) {
    const child = spawn(process.execPath, [porsa, ...args], { env: { PATH: process.env.PATH, ...env } })
    const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    const said = Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await once(child, 'close')
    clearTimeout(timer)
    return { code, said: (await said).join('') }
  }
  return { dir, put, kinds, run }
}

test.each([
  ['a full disk', '> /dev/full', 'ENOSPC'],
  ['a pipe that nobody reads', '| true', 'EPIPE'],
])('an output that %s does not take is reported', async (_, where, code) => {
  const porsa = join(await builtPackage(), 'dist/cli/porsa.js')
  const script = `set -o pipefail; (sleep 0.5; exec "$0" "$1" --help) ${where}`
  const child = spawn('bash', ['-c', script, process.execPath, porsa])
  const said = text(child.stderr)
  expect(await once(child, 'close')).toEqual([1, null])
  expect(await said).toBe(`the output cannot be written (${code})\n`)
})

describe.each(program ? ['embedded', 'redis'] : ['embedded'])('%s', (kind) => {
  test('a killed backup leaves no copy under a name, and a killed restore is whole when it is run again', async () => {
    const { dir, put, kinds, run } = await filled(kind)
    const folder = join(dir, 'copies')
    await put('a')
    const whole = await run(['backup', folder])
    expect([whole.code, whole.said]).toEqual([0, expect.stringContaining('documents')])
    const startMs = 250
    for (let tries = 0; tries < 4; tries += 1) await run(['backup', folder], startMs + tries * 120)
    const copies = (await readdir(folder)).filter((name) => name.startsWith('porsa-'))
    const [first = ''] = copies.sort()
    await put('b')
    for (let tries = 0; tries < 5; tries += 1) {
      const { code } = await run(['restore', join(folder, first)], startMs + tries * 200)
      // Whenever it was killed: the old state or the new one, never a mixture.
      const state = await kinds().catch((error: Error) => error.message)
      if (typeof state === 'string') expect(state).toContain('run `porsa restore` again')
      else expect(state).toEqual([code === 0 ? 'a' : expect.stringMatching(/^[ab]$/)])
    }
    // Every copy with a name is whole.
    for (const name of (await readdir(folder)).filter((one) => one.startsWith('porsa-'))) {
      const { code, said } = await run(['restore', join(folder, name)])
      expect([name, code, said]).toEqual([name, 0, expect.stringContaining('it is in its place')])
    }
    await run(['restore', join(folder, first)])
    expect(await kinds()).toEqual(['a'])
  }, 120_000)
})
