import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { z } from 'zod'
import { textKeys } from '../texts/plugin.ts'
import { mutantsIn, withMutants } from './mutants.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const list = process.env.MUTATE_FILES ?? ''
const files: Record<string, number> = JSON.parse(readFileSync(list, 'utf8'))

const mutating: Plugin = {
  name: 'mutants',
  enforce: 'pre',
  transform(code, id) {
    const first = files[relative(root, id)]
    return first === undefined ? undefined : withMutants(code, mutantsIn(code), first)
  },
}

const reached = process.env.MUTATE_REACHED ?? ''
const took = new Map<string, number>()
for (const line of existsSync(reached) ? readFileSync(reached, 'utf8').trim().split('\n') : []) {
  const [, file, ms] = z.tuple([z.string(), z.string(), z.number()]).rest(z.number()).parse(JSON.parse(line))
  took.set(file, (took.get(file) ?? 0) + ms)
}

/** Runs quick files first, so that slow ones are only run for mutants that no quick file has noticed. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const msOf = ({ moduleId }: TestSpecification) => took.get(moduleId) ?? 0
    return files.toSorted((one, other) => msOf(one) - msOf(other))
  }
}

/** Runs sources with their mutants, and the tests in sequence in one process: one mutant is on at a time. */
export default defineConfig({
  root,
  plugins: [textKeys, mutating],
  test: {
    include: ['test/**/*.test.ts'],
    runner: 'tools/mutate/runner.ts',
    // Stories start from recorded points, which are made without any mutant.
    provide: { compiled: join(dirname(list), 'stories') },
    isolate: false,
    maxWorkers: 1,
    maxConcurrency: 1,
    // Longer than any test takes, even on a busy machine; a mutant that waits for ever uses all of it.
    testTimeout: 20_000,
    sequence: { sequencer: QuickestFirst },
    reporters: [['default', { summary: false }]],
  },
})
