import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Mutant, mutantsIn } from './mutants.ts'

const HELP = `npm run mutate -- <file or folder of src> <tests>…

Changes one thing after the other in these sources and runs those of the tests that come by: whatever none of them notices is
listed. What is reckoned as a module is loaded is left out. For example: npm run mutate -- src/domain/roadmap.ts test/domain`

const root = fileURLToPath(new URL('../..', import.meta.url))

/** `npm run mutate`: which mutants live. */
function main([what = '', ...tests]: readonly string[]): number {
  if (!existsSync(join(root, what)) || !what.startsWith('src') || tests.length === 0) {
    console.log(HELP)
    return what === '--help' ? 0 : 1
  }
  const folder = mkdtempSync(join(tmpdir(), 'porsa-mutants-'))
  try {
    return mutate(filesIn(what), tests, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function mutate(files: readonly string[], tests: readonly string[], folder: string): number {
  const all: (Mutant & { file: string; code: string })[] = []
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
      MUTATE_COMPILED: join(root, `dist-test-mutate-${process.pid}`),
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
    const { stdout } = spawnSync(process.execPath, program, {
      cwd: root,
      env,
      encoding: 'utf8',
      maxBuffer: 1e9,
    })
    return stdout
  }
  const said = run()
  if (!/\d passed/.test(said) || /\d failed/.test(said)) {
    console.log(`the tests fail by themselves:\n${said}`)
    return 1
  }
  run()
  const isMet = new Set(linesOf(reached).flatMap(([, , , ...met]) => met.map(Number)))
  const isKilled = new Set(linesOf(killed).flat().map(Number))
  const lives = all.flatMap((mutant, number) =>
    isKilled.has(number) ? [] : [{ ...mutant, isMet: isMet.has(number) }],
  )
  for (const { file, line, start, end, instead, code, isMet: was } of lives)
    console.log(
      `${file}:${line}${was ? '' : ' (never met)'}: ${short(code.slice(start, end))}  →  ${short(instead)}`,
    )
  const share = all.length === 0 ? 100 : (100 * isKilled.size) / all.length
  console.log(`${isKilled.size} of ${all.length} killed (${share.toFixed(1)} %), ${lives.length} live`)
  return 0
}

const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 70)

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
