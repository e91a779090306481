import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { createSurroundings } from '../surroundings.ts'
import { builtPackage, builtTools } from './package.ts'

/**
 * Node prints no warning about our programs, such as one of a deprecation. Late versions do not warn about
 * packages in node_modules; the stories with the bundled bot catch those.
 */
describe.concurrent('started, a program says nothing on stderr', () => {
  let surroundings: Awaited<ReturnType<typeof createSurroundings>>
  let dist: string
  let tools: string

  beforeAll(async () => {
    dist = join(await builtPackage(), 'dist')
    tools = join(await builtTools(), 'dist-tools/programs')
    surroundings = await createSurroundings({}, Date.now)
  })
  afterAll(async () => {
    await surroundings.close()
  })

  /** Runs until it ends, or until it has printed this. */
  async function errorsOf(program: string, env: Record<string, string>, args: string[] = [], up?: string) {
    const child = spawn(process.execPath, [`${program}.js`, ...args], {
      env: { PATH: process.env.PATH, ...env },
    })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      if (up && said.includes(up)) child.kill()
    })
    const [errors] = await Promise.all([text(child.stderr), once(child, 'close')])
    return errors
  }

  test('the bot', async () => {
    // It also knows its version, which it reads from beside its own files.
    expect(await errorsOf(join(dist, 'main'), surroundings.env, [], `"version":"${manifest.version}"`)).toBe(
      '',
    )
  })

  test('the demo', async () => {
    const env = { DATA_DIR: join(surroundings.dir, 'demo'), PORT: '0' }
    expect(await errorsOf(join(tools, 'demo'), env, [], 'Ctrl+C')).toBe('')
  })

  test('the sandbox', async () => {
    expect(await errorsOf(join(tools, 'sandbox'), { SANDBOX_PORT: '0' }, [], 'SERVICE_URL=')).toBe('')
  })

  test('check', async () => {
    const env = { ...surroundings.env, DATA_DIR: join(surroundings.dir, 'checked') }
    expect(await errorsOf(join(dist, 'cli/porsa'), env, ['check'])).toBe('')
  })

  test('link', async () => {
    const args = ['link', 'record', '0f8fad5b-d9cb-469f-a165-70867728950e']
    expect(await errorsOf(join(dist, 'cli/porsa'), surroundings.env, args)).toBe('')
  })

  test('bench, which a missing folder ends before it measures', async () => {
    const env = { TMPDIR: join(surroundings.dir, 'missing') }
    const errors = await errorsOf(join(tools, 'bench'), env, ['answers'])
    expect(errors).toContain('ENOENT')
    expect(errors).not.toMatch(/warning/i)
  })
})
