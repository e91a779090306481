import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { textKeys } from '../texts/plugin.ts'
import { mutantsIn, withMutants } from './mutants.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const files: Record<string, number> = JSON.parse(readFileSync(process.env.MUTATE_FILES ?? '', 'utf8'))

const mutating: Plugin = {
  name: 'mutants',
  enforce: 'pre',
  transform(code, id) {
    const first = files[relative(root, id)]
    return first === undefined ? undefined : withMutants(code, mutantsIn(code), first)
  },
}

/** Sources with their mutants, tests one after the other in one process: one mutant is on at a time. */
export default defineConfig({
  root,
  plugins: [textKeys, mutating],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/compiled.ts',
    provide: { compiled: process.env.MUTATE_COMPILED ?? '' },
    runner: 'tools/mutate/runner.ts',
    isolate: false,
    maxWorkers: 1,
    maxConcurrency: 1,
    // Longer than any of them takes, on a busy machine too; a mutant that waits for ever takes all of it.
    testTimeout: 60_000,
    reporters: [['default', { summary: false }]],
  },
})
