import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)

/** Runs a program of ours; what it has to complain about is what the test says. */
async function complaintsOf(program: string, args: readonly string[]): Promise<string> {
  const path = fileURLToPath(new URL(`node_modules/${program}`, root))
  const env = { ...process.env, GOGC: 'off' }
  const run = promisify(execFile)(process.execPath, [path, ...args], { cwd: root, maxBuffer: 1e8, env })
  return run.then(
    () => '',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )
}

// Beside the other tests, which leave the processor free now and then. Several checkers would check much twice.
test('the types fit', async () => {
  expect(await complaintsOf('typescript/bin/tsc', ['-p', 'tsconfig.json', '--singleThreaded'])).toBe('')
})

test('the code is clean', async () => {
  expect(await complaintsOf('@biomejs/biome/bin/biome', ['check', '.', '--error-on-warnings'])).toBe('')
})
