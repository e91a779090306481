import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

test('the page’s modules agree with their types and with the interface of the server', () => {
  const { stdout, status } = spawnSync(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '-p', 'tools/demo/page/tsconfig.json'],
    { cwd: root, encoding: 'utf8' },
  )
  expect(stdout).toBe('')
  expect(status).toBe(0)
})
