import { readFile, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { z } from 'zod'
import type { Copy } from './copy.ts'

/** The outcome of a search; `found` names the test or the world that found the fault. */
export type Search = { found: string | undefined; note?: string }

const testReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), title: z.string() })),
    }),
  ),
})

/** Runs these tests; the first that fails has found the fault. A file that cannot be loaded finds nothing. */
export async function searchByTests(copy: Copy, tests: readonly string[]): Promise<Search> {
  if (tests.includes('types')) return searchByTypes(copy)
  const report = join(copy.folder, 'faults.json')
  await rm(report, { force: true })
  // A fault can make a test wait forever.
  const args = ['run', '--testTimeout=150000', '--reporter=json', `--outputFile=${report}`, ...tests]
  const { printed } = await copy.run('node_modules/vitest/vitest.mjs', args)
  const read = await readFile(report, 'utf8').catch(() => undefined)
  if (read === undefined) return { found: undefined, note: `the tests do not run: ${printed.slice(0, 500)}` }
  const { testResults } = testReport.parse(JSON.parse(read))
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.length,
  )
  if (broken.length > 0) return { found: undefined, note: `${broken[0]?.name} cannot be loaded` }
  const failed = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ title }) => `${relative(copy.folder, name).replace(/^test\//, '')}: ${title}`),
  )
  return { found: failed[0] }
}

async function searchByTypes(copy: Copy): Promise<Search> {
  const { code, printed } = await copy.run('node_modules/typescript/bin/tsc', [
    '-p',
    'tsconfig.json',
    '--noEmit',
  ])
  const [place] = /^\S+\(\d+,\d+\)/m.exec(printed) ?? []
  return { found: code === 0 ? undefined : `does not compile: ${place ?? printed.slice(0, 80)}` }
}

const WHOLE = 'dist-tools/whole'
const PLANTED = 'dist-tools/simulate'

/** Builds the simulation from the copy: `whole` without a fault, for comparison. */
export async function buildSimulation(copy: Copy, kind: 'whole' | 'planted'): Promise<void> {
  const outDir = kind === 'whole' ? WHOLE : PLANTED
  const args = ['build', '--config', 'tools/simulate/vite.config.ts', '--outDir', outDir]
  const { code, printed } = await copy.run('node_modules/vite/bin/vite.js', args)
  if (code !== 0) throw new Error(`the simulation cannot be built: ${printed}`)
}

/** Worlds per round. */
const ROUND = 10

const BROKEN = /^seed (\d+): .*\n {2}(.+)$/gm

/** Simulates worlds of mixed sizes until one breaks a promise that it keeps without the fault. */
export async function searchByWorlds(copy: Copy, from: number, most: number): Promise<Search> {
  await buildSimulation(copy, 'planted')
  let lived = 0
  let hasBeenBroken = 0
  while (lived < most) {
    const first = from + lived
    const worlds = Math.min(ROUND, most - lived)
    lived += worlds
    const seeds = `${first}..${first + worlds - 1}`
    for (const [, seed = '', promise] of brokenIn(await simulate(copy, PLANTED, seeds))) {
      const [isBrokenAnyway] = brokenIn(await simulate(copy, WHOLE, seed))
      if (!isBrokenAnyway) return { found: `mixed ${seed}: ${promise} (after ${lived} worlds)` }
      hasBeenBroken += 1
    }
  }
  const note = hasBeenBroken > 0 ? `${hasBeenBroken} worlds break without it as well` : undefined
  return { found: undefined, ...(note !== undefined && { note }) }
}

async function simulate(copy: Copy, outDir: string, seeds: string): Promise<string> {
  const args = ['--seeds', seeds, '--size', 'mixed', '--jobs', '1', '--each']
  return (await copy.run(`${outDir}/main.js`, args)).printed
}

/** The broken promises of a run; throws if the process ended before its worlds did. */
function brokenIn(printed: string): (readonly [string, string, string])[] {
  const found = [...printed.matchAll(BROKEN)].map(
    ([line, seed = '', what = '']) => [line, seed, what] as const,
  )
  if (found.length > 0 || / runs, /.test(printed)) return found
  throw new Error(`the simulation ended: ${printed.slice(-500)}`)
}
