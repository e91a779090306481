import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { madeFolder } from '../../test/compiled.ts'
import { change, equals, isOf, short } from './equal.ts'
import { type Mutant, mutantsIn } from './mutants.ts'

const HELP = `npm run mutate -- <files or folders of src>… <tests>… [--sample 100 [--seed 1]] [--left <file>]

Changes one thing after the other in these sources and runs those of the tests that come by: whatever none of them notices is
listed. What is reckoned as a module is loaded is left out; what no test can notice, by tools/mutate/equal.ts, is counted
apart. Tests that start processes notice nothing. --sample: only so many, chosen by the seed. --left: only those that a run before
has listed in this file, so that tests which take long are asked about what quick ones have left.
For example: npm run mutate -- src/domain/roadmap.ts test/domain`

const root = fileURLToPath(new URL('../..', import.meta.url))

/** `npm run mutate`: finds mutants that survive the tests. */
function main(): number {
  const word = { type: 'string' } as const
  const options = { sample: word, seed: word, left: word, help: { type: 'boolean' } } as const
  const { values, positionals: what } = parseArgs({ options, allowPositionals: true })
  const isSource = (path: string) => /^src\b/.test(path)
  const [sources, tests] = [what.filter(isSource), what.filter((path) => !isSource(path))]
  if (sources.length === 0 || tests.length === 0 || !what.every((path) => existsSync(join(root, path)))) {
    console.log(HELP)
    return values.help ? 0 : 1
  }
  const { sample, seed = Date.now() } = values
  const left = values.left === undefined ? undefined : readFileSync(values.left, 'utf8').split('\n')
  const folder = mkdtempSync(join(tmpdir(), 'porsa-mutants-'))
  try {
    return mutate(sources.flatMap(filesIn), {
      tests,
      folder,
      sample: Number(sample),
      seed: Number(seed),
      left,
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type Tried = Mutant & { file: string; code: string }

type Way = {
  tests: readonly string[]
  folder: string
  sample: number
  seed: number
  left: readonly string[] | undefined
}

function mutate(files: readonly string[], { tests, folder, sample, seed, left }: Way): number {
  const all: Tried[] = []
  const firsts: Record<string, number> = {}
  for (const file of files) {
    firsts[file] = all.length
    const code = readFileSync(join(root, file), 'utf8')
    all.push(...mutantsIn(code).mutants.map((mutant) => ({ ...mutant, file, code })))
  }
  const [list, reached, killed] = ['files', 'reached', 'killed'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(list, JSON.stringify(firsts))
  mkdirSync(madeFolder(join(folder, 'stories')))
  const env = {
    ...process.env,
    ...{
      MUTATE_FILES: list,
      MUTATE_REACHED: reached,
      MUTATE_KILLED: killed,
      MUTATE_COUNT: String(all.length),
    },
  }
  const said = run(tests, env)
  if (!/\d passed/.test(said) || /\d failed/.test(said)) {
    console.log(`the tests fail by themselves:\n${said}`)
    return 1
  }
  const listed = new Set(left?.map((line) => line.replace(NEVER_MET, '')))
  const chosen = left
    ? new Set(all.flatMap((mutant, number) => (listed.has(lineOf(mutant)) ? [number] : [])))
    : chosenOf(all.length, sample, seed)
  const lines = linesOf(reached).map(([test, file, ms, ...met]) =>
    JSON.stringify([test, file, ms, ...met.filter((number) => chosen.has(Number(number)))]),
  )
  writeFileSync(reached, lines.join('\n'))
  run(tests, env)
  const metBy = (isTest: boolean) =>
    new Set(
      linesOf(reached).flatMap(([test, , , ...met]) => ((test !== '') === isTest ? met.map(Number) : [])),
    )
  const [isMet, isLoaded] = [metBy(true), metBy(false)]
  const isKilled = new Set(linesOf(killed).flat().map(Number))
  const tried = all.map((mutant, number) => ({
    ...mutant,
    isChosen: chosen.has(number),
    isMet: isMet.has(number),
    isKilled: isKilled.has(number),
    isLoaded: isLoaded.has(number) && !isMet.has(number),
  }))
  if (chosen.size < all.length)
    console.log(`${chosen.size} of ${all.length}${left ? '' : ` by seed ${seed}`}`)
  return report(tried.filter(({ isLoaded, isChosen }) => isChosen && !isLoaded))
}

function run(tests: readonly string[], env: NodeJS.ProcessEnv): string {
  const program = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'tools/mutate/vitest.config.ts',
    ...tests,
  ]
  const { stdout, stderr } = spawnSync(process.execPath, program, {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  return `${stdout}${stderr}`
}

/** A sample of the numbers below `count`, chosen by a seed; all of them if no sample size is given. */
function chosenOf(count: number, sample: number, seed: number): ReadonlySet<number> {
  const numbers = Array.from({ length: count }, (_, number) => number)
  if (!(sample < count)) return new Set(numbers)
  const place = (number: number) => createHash('sha256').update(`${seed} ${number}`).digest('hex')
  const placed = numbers.map((number) => ({ number, at: place(number) }))
  const inOrder = placed.toSorted((one, other) => (one.at < other.at ? -1 : 1))
  return new Set(inOrder.slice(0, sample).map(({ number }) => number))
}

/** Lists the survivors and the counts; returns 1 if a mutant of `equals` was killed. */
function report(all: readonly (Tried & { isMet: boolean; isKilled: boolean })[]): number {
  const known = equals.filter(({ file }) => all.some((mutant) => mutant.file === file))
  const wrong = known.filter((one) => all.some((mutant) => isOf(mutant, one) && mutant.isKilled))
  for (const { file, code } of wrong) console.log(`${file}: ${short(code)} is no change that lives`)
  const real = all.filter((mutant) => !known.some((one) => isOf(mutant, one)))
  for (const mutant of real)
    if (!mutant.isKilled) console.log(`${mutant.isMet ? '' : NEVER_MET}${lineOf(mutant)}`)
  for (const file of new Set(all.map((mutant) => mutant.file)))
    count(
      file,
      real.filter((mutant) => mutant.file === file),
    )
  count('all', real)
  console.log(`${all.length - real.length} counted apart`)
  return wrong.length === 0 ? 0 : 1
}

const NEVER_MET = 'never met: '
const lineOf = (mutant: Tried): string => `${mutant.file}:${mutant.line}: ${change(mutant)}`

function count(name: string, mutants: readonly { isKilled: boolean }[]): void {
  const killed = mutants.filter(({ isKilled }) => isKilled).length
  const share = mutants.length === 0 ? 100 : (100 * killed) / mutants.length
  console.log(`${name}: ${killed} of ${mutants.length} killed (${share.toFixed(1)} %)`)
}

const linesOf = (file: string): unknown[][] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []

function filesIn(what: string): string[] {
  if (!statSync(join(root, what)).isDirectory()) return [what]
  return readdirSync(join(root, what), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(what, file))
    .sort()
}

process.exitCode = main()
