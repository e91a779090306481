import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)

/** Runs a program of the project and returns its complaints. */
async function complaintsOf(program: string, args: readonly string[]): Promise<string> {
  const path = fileURLToPath(new URL(`node_modules/${program}`, root))
  const env = { ...process.env, GOGC: 'off' }
  const run = promisify(execFile)(process.execPath, [path, ...args], { cwd: root, maxBuffer: 1e8, env })
  return run.then(
    () => '',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )
}

// Beside the other tests, which leave the processor idle at times. Several checkers would repeat work.
test('the types are correct', async () => {
  expect(await complaintsOf('typescript/bin/tsc', ['-p', 'tsconfig.json', '--singleThreaded'])).toBe('')
})

test('the code passes the linter', async () => {
  expect(await complaintsOf('@biomejs/biome/bin/biome', ['check', '.', '--error-on-warnings'])).toBe('')
})
