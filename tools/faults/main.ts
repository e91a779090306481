import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Copy, copyProject } from './copy.ts'
import type { Fault } from './fault.ts'
import { faults } from './faults.ts'
import { buildSimulation, type Search, searchByTests, searchByWorlds } from './finders.ts'

const HELP = `npm run faults -- [--only 3,18.2] [--tests] [--simulation] [--worlds 200] [--seeds FROM]

  Plants each fault alone into a copy of the project, and prints which test or world finds it.

  --only N,N.M  only the faults of these promises, or the M-th fault of one
  --tests       only run tests        --simulation  only run simulated worlds
  --worlds N    at most N worlds for each fault
  --seeds FROM  the first seed; random by default`

/** The folder of the project, relative to `dist-tools/programs`. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SEEDS = 1_000_000_000

type Wanted = { isTested: boolean; isSimulated: boolean; worlds: number; from: number }

/** `npm run faults`: checks that the tests and the simulation find every fault. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      tests: { type: 'boolean', default: false },
      simulation: { type: 'boolean', default: false },
      worlds: { type: 'string', default: '200' },
      seeds: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const chosen = chosenBy(values.only)
  const worlds = Number(values.worlds)
  const from = Number(values.seeds ?? randomInt(SEEDS))
  if (values.help || chosen.length === 0 || !(worlds >= 1) || !Number.isSafeInteger(from)) {
    console.log(HELP)
    return values.help ? 0 : 1
  }
  const isBoth = values.tests === values.simulation
  const wanted = { isTested: isBoth || values.tests, isSimulated: isBoth || values.simulation, worlds, from }
  const copy = await copyProject(ROOT)
  try {
    return await search(copy, chosen, wanted)
  } finally {
    await copy.remove()
  }
}

/** The faults that `--only` selects; `18.2` is the second fault of promise 18. */
function chosenBy(only: string | undefined): readonly Fault[] {
  const names = faults.map((fault) => {
    const alike = faults.filter(({ number }) => number === fault.number)
    return [String(fault.number), `${fault.number}.${alike.indexOf(fault) + 1}`]
  })
  const wanted = only?.split(',')
  return faults.filter((_, index) => wanted?.some((each) => names[index]?.includes(each)) ?? true)
}

async function search(copy: Copy, chosen: readonly Fault[], wanted: Wanted): Promise<number> {
  const { isTested, isSimulated, from } = wanted
  for (const fault of chosen) await copy.with(fault, async () => undefined)
  if (isTested) await expectSound(copy, chosen)
  if (isSimulated) await buildSimulation(copy, 'whole')
  console.log(`${commit()}${isSimulated ? `, seeds from ${from}` : ''}\n`)
  console.log('| # | fault | tests | simulation |\n| --- | --- | --- | --- |')
  let missed = 0
  for (const fault of chosen) {
    const { tests, worlds } = await copy.with(fault, () => searchOne(copy, fault, wanted))
    console.log(`| ${fault.number} | ${fault.name} | ${cell(tests)} | ${cell(worlds)} |`)
    missed += [tests, worlds].filter((each) => each !== undefined && each.found === undefined).length
  }
  console.log(`\n${chosen.length} faults, ${missed} times not found`)
  return missed > 0 ? 1 : 0
}

async function searchOne(copy: Copy, fault: Fault, { isTested, isSimulated, worlds, from }: Wanted) {
  return {
    tests: isTested ? await searchByTests(copy, fault.tests) : undefined,
    worlds: isSimulated && fault.isSimulated ? await searchByWorlds(copy, from, worlds) : undefined,
  }
}

/** Runs the tests without any fault: a test that fails anyway cannot find one. */
async function expectSound(copy: Copy, chosen: readonly Fault[]): Promise<void> {
  const all = [...new Set(chosen.flatMap(({ tests }) => tests))]
  const files = all.filter((each) => each !== 'types')
  const searches = [...(files.length > 0 ? [files] : []), ...(all.includes('types') ? [['types']] : [])]
  for (const tests of searches) {
    const { found, note } = await searchByTests(copy, tests)
    if (found ?? note) throw new Error(`the tests fail without any fault: ${found ?? note}`)
  }
}

const cell = (search: Search | undefined): string =>
  search === undefined ? '–' : (search.found ?? `**not found**${search.note ? ` (${search.note})` : ''}`)

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ', changed since'}`
}

process.exitCode = await main()
