import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRedisServer } from '../../tools/bench/redis-server.ts'
import config from '../../tools/simulate/vite.config.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(`${root}dist-test-`)
  // The modules find the texts relative to this depth below the project.
  const outDir = join(folder, 'simulate')
  await build({ ...config, configFile: false, build: { ...config.build, outDir } })
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const simulate = (...args: string[]) => printed('main.js', args)

/** Runs a command; returns its output, with the exit code where it fails. */
async function printed(name: string, args: readonly string[], env = process.env): Promise<string> {
  const command = [join(folder, 'simulate', name), '--jobs', '1', ...args]
  const run = promisify(execFile)(process.execPath, command, { maxBuffer: 1e8, env })
  return run.then(
    ({ stdout }) => stdout.trim(),
    ({ code, stdout, stderr }) => `exit ${code}\n${stdout}${stderr}`,
  )
}

test('ten worlds lose nothing and leave no participant stuck, and a seed repeats its run after other runs', async () => {
  const told = (await simulate('--seeds', '1..10', '--size', 'small', '--each')).split('\n')
  expect(told.at(-1)).toMatch(
    /^10 runs, \d+ crashes, \d+ people, \d+ answers: 0 lost, 0 shifted, 0 doubled, 0 stuck$/,
  )
  const ninth = told.find((line) => line.startsWith('seed 9: '))
  expect(ninth).toMatch(/; [0-9a-f]{16}$/)
  expect(await simulate('--seed', '9', '--size', 'small')).toContain(ninth)
})

// The hash in the report covers everything in the trace of a run.
test.skipIf(!findRedisServer())(
  'a seed makes the same world on a real Redis as on SQLite, every time',
  async () => {
    const world = ['--seed', '3', '--size', 'small']
    const onRedis = await simulate(...world, '--store', 'redis')
    expect(onRedis).toMatch(/ [1-9]\d* answers in \d+ s; [0-9a-f]{16}\n1 runs, .*, 0 stuck$/)
    expect(await simulate(...world, '--store', 'both')).toBe(onRedis)
  },
)

test('without redis-server on the machine the simulation reports that it is missing', async () => {
  const told = await printed('main.js', ['--seed', '3', '--store', 'redis'], { PATH: folder })
  expect(told).toMatch(/^exit 1\n[\s\S]*--store redis and both need redis-server: install it/)
})

test('five hundred generated updates break no promise', async () => {
  expect(await printed('fuzz.js', ['--updates', '500', '--seed', '3'])).toMatch(
    /^1 runs, 500 generated updates, \d+ people, \d+ answers: 0 lost, 0 shifted, 0 doubled, 0 stuck$/,
  )
})

// Planting all of them takes up to a minute, so only `.ci/run` does that.
test('a planted fault is found', async () => {
  expect(await simulate('--plant', 'dedup off')).toMatch('dedup off: found by seed')
})
