import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Equal, equals } from './equal.ts'
import { type Mutant, mutantsIn } from './mutants.ts'

const HELP = `npm run mutate -- <files or folders of src>… <tests>…

Changes one thing after the other in these sources and runs those of the tests that come by: whatever none of them notices is
listed. What is reckoned as a module is loaded is left out; what no test can notice, by tools/mutate/equal.ts, is counted
apart. For example: npm run mutate -- src/domain/roadmap.ts test/domain`

const root = fileURLToPath(new URL('../..', import.meta.url))

/** `npm run mutate`: which mutants live. */
function main(what: readonly string[]): number {
  const [sources, tests] = [true, false].map((is) => what.filter((path) => /^src\b/.test(path) === is)) as [
    string[],
    string[],
  ]
  if (sources.length === 0 || tests.length === 0 || !what.every((path) => existsSync(join(root, path)))) {
    console.log(HELP)
    return what[0] === '--help' ? 0 : 1
  }
  const folder = mkdtempSync(join(tmpdir(), 'porsa-mutants-'))
  try {
    return mutate(sources.flatMap(filesIn), tests, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type Tried = Mutant & { file: string; code: string }

function mutate(files: readonly string[], tests: readonly string[], folder: string): number {
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
  const env = {
    ...process.env,
    ...{
      MUTATE_FILES: list,
      MUTATE_REACHED: reached,
      MUTATE_KILLED: killed,
      MUTATE_COUNT: String(all.length),
    },
  }
  const run = () => {
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
  const said = run()
  if (!/\d passed/.test(said) || /\d failed/.test(said)) {
    console.log(`the tests fail by themselves:\n${said}`)
    return 1
  }
  run()
  const metBy = (isTest: boolean) =>
    new Set(
      linesOf(reached).flatMap(([test, , , ...met]) => ((test !== '') === isTest ? met.map(Number) : [])),
    )
  const [isMet, isLoaded] = [metBy(true), metBy(false)]
  const isKilled = new Set(linesOf(killed).flat().map(Number))
  const tried = all.map((mutant, number) => ({
    ...mutant,
    isMet: isMet.has(number),
    isKilled: isKilled.has(number),
    isLoaded: isLoaded.has(number) && !isMet.has(number),
  }))
  return told(tried.filter(({ isLoaded }) => !isLoaded))
}

/** Lists those that live, and counts: 1 where what is called equal is not. */
function told(all: readonly (Tried & { isMet: boolean; isKilled: boolean })[]): number {
  const isOf = (mutant: Tried, { file, code, instead }: Equal) =>
    mutant.file === file && change(mutant) === `${short(code)}  →  ${short(instead)}`
  const known = equals.filter(({ file }) => all.some((mutant) => mutant.file === file))
  const wrong = known.filter(
    (one) => all.filter((mutant) => isOf(mutant, one) && !mutant.isKilled).length !== 1,
  )
  for (const { file, code } of wrong) console.log(`${file}: ${short(code)} is not one change that lives`)
  const real = all.filter((mutant) => !known.some((one) => isOf(mutant, one)))
  for (const mutant of real)
    if (!mutant.isKilled)
      console.log(`${mutant.file}:${mutant.line}${mutant.isMet ? '' : ' (never met)'}: ${change(mutant)}`)
  for (const file of new Set(all.map((mutant) => mutant.file)))
    count(
      file,
      real.filter((mutant) => mutant.file === file),
    )
  count('all', real)
  console.log(`${all.length - real.length} counted apart`)
  return wrong.length === 0 ? 0 : 1
}

function count(name: string, mutants: readonly { isKilled: boolean }[]): void {
  const killed = mutants.filter(({ isKilled }) => isKilled).length
  const share = mutants.length === 0 ? 100 : (100 * killed) / mutants.length
  console.log(`${name}: ${killed} of ${mutants.length} killed (${share.toFixed(1)} %)`)
}

const change = ({ code, start, end, instead }: Tried) =>
  `${short(code.slice(start, end))}  →  ${short(instead)}`

const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 90)

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

process.exitCode = main(process.argv.slice(2))
