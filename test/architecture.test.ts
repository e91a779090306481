import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../src/', import.meta.url))

/** From the ground up; what stands on one line may use each other. */
const floors = [
  ['domain'],
  ['store'],
  ['kept'],
  ['mail'],
  ['service'],
  ['telegram'],
  ['views', 'report'],
  ['jobs'],
  ['chat'],
  ['conversations'],
  ['features'],
  ['answering'],
  ['inbox'],
  ['storage.ts'],
  ['app.ts'],
  ['run.ts'],
  ['main.ts'],
]
/** Serve every floor and use only each other. */
const everywhere = ['config.ts', 'environment.ts', 'texts', 'observe']
/** Small worlds of their own, which nothing else uses. */
const worlds: Record<string, { mayUse: (part: string) => boolean }> = {
  sandbox: { mayUse: () => false },
  emulator: { mayUse: () => false },
  demo: { mayUse: (part) => !['main.ts', 'cli', 'bench'].includes(part) },
  cli: { mayUse: (part) => !['main.ts', 'demo', 'sandbox', 'emulator', 'bench'].includes(part) },
  bench: { mayUse: (part) => !['main.ts', 'demo', 'cli'].includes(part) },
}
/** Made by a program, so its length is nobody's choice. */
const generated = new Set([join('texts', 'keys.ts')])

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.(ts|js)$/.test(file),
)
const sources = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]))

const partOf = (file: string) => file.split(sep)[0] ?? file

/** The files of ours that a file imports, types included. */
function importsOf(file: string): string[] {
  const found = (sources.get(file) ?? '').matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.{1,2}\/[^']+)'/g)
  return [...found].map(([, path = '']) => relative(src, join(src, dirname(file), path)))
}

const edges = files.flatMap((file) => importsOf(file).map((target) => ({ file, target })))

function mayUse(from: string, to: string): boolean {
  if (from === to) return true
  const world = worlds[from]
  if (world) return world.mayUse(to)
  if (to in worlds) return false
  if (everywhere.includes(to)) return true
  if (everywhere.includes(from)) return false
  const floorOf = (part: string) => floors.findIndex((floor) => floor.includes(part))
  return floorOf(to) >= 0 && floorOf(to) <= floorOf(from)
}

test('the imports are read at all', () => {
  expect(edges.length).toBeGreaterThan(files.length / 2)
  const lost = edges.filter(({ target }) => /\.(ts|js)$/.test(target) && !sources.has(target))
  expect(lost.map(({ file, target }) => `${file} → ${target}`)).toEqual([])
})

test('every file has a place in the order of floors', () => {
  const known = new Set([...floors.flat(), ...everywhere, ...Object.keys(worlds)])
  expect(files.filter((file) => !known.has(partOf(file)))).toEqual([])
})

test('a folder imports only from the floors below its own', () => {
  const wrong = edges.filter(({ file, target }) => !mayUse(partOf(file), partOf(target)))
  expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([])
})

test('no file imports itself in a circle', () => {
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    done.add(file)
    for (const target of importsOf(file)) walk(target, [...path, file])
  }
  for (const file of files) walk(file, [])
  expect(circles).toEqual([])
})

test('no file is longer than 300 lines', () => {
  const lines = (file: string) => sources.get(file)?.split('\n').length ?? 0
  const long = files.filter((file) => lines(file) > 301 && !generated.has(file))
  expect(long).toEqual([])
})

test('the bot knows nothing of what proves or photographs it', () => {
  const knowing = [...sources].filter(([, code]) =>
    /from '(\.\.\/)+(simulate|screens|test)\/|isPlanted/.test(code),
  )
  expect(knowing.map(([file]) => file)).toEqual([])
})

test('every file has a name of its own: no utils, no helpers, kebab-case', () => {
  const names = files.flatMap((file) => file.split(sep))
  expect(names.filter((name) => /^(utils?|helpers?|common|misc)(\.|$)/.test(name))).toEqual([])
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.ts|\.js)?$/.test(name))).toEqual([])
})

test('only the entry of a process looks at its environment', () => {
  const entries = new Set(['main.ts', join('cli', 'check.ts'), join('cli', 'link.ts')])
  const others = new Set(['demo', 'sandbox', 'bench'])
  const readers = files.filter((file) => /\bprocess\.env\b/.test(sources.get(file) ?? ''))
  expect(readers.filter((file) => !entries.has(file) && !others.has(partOf(file)))).toEqual([])
})

test('only a transition of the record writes where it stands', () => {
  const owner = join('domain', 'record', 'transitions.ts')
  const writers = files.filter((file) => /\.state = (?!=)/.test(sources.get(file) ?? ''))
  expect(writers.filter((file) => file !== owner && !(partOf(file) in worlds))).toEqual([])
})

/** A switch with what its function returns, and whether it has a `default` and something behind it for what is left. */
function switchesOf(code: string) {
  const lines = code.split('\n')
  const indentOf = (line = '') => line.search(/\S/)
  return lines.flatMap((line, at) => {
    if (!/^\s*switch \(/.test(line)) return []
    const indent = indentOf(line)
    const isOuter = (other: string) => indentOf(other) >= 0 && indentOf(other) < indent
    const head = lines.slice(0, at).findLast(isOuter) ?? ''
    const end = lines.findIndex((other, index) => index > at && other === `${' '.repeat(indent)}}`)
    const hasDefault = lines
      .slice(at, end)
      .some((other) => /^\s*default:/.test(other) && indentOf(other) === indent + 2)
    const returns = /\): ([^()]*?)(?: =>)? \{$/.exec(head)?.[1] ?? 'nothing'
    const isGuarded = /^\s*unreachable\(/.test(lines[end + 1] ?? '')
    return [
      {
        line: at + 1,
        hasDefault,
        isGuarded,
        returnsNothing: /^(nothing|void|Promise<(void|unknown)>)$/.test(returns),
      },
    ]
  })
}

test('a switch over a union does not compile where a case is missing', () => {
  // The statuses of the service are numbers, and no union.
  const ofNumbers = join('views', 'service-state.ts')
  const found = [...sources].flatMap(([file, code]) =>
    partOf(file) in worlds || file === ofNumbers ? [] : switchesOf(code).map((each) => ({ file, ...each })),
  )
  expect(found.length).toBeGreaterThan(8)
  // A function that returns something does not compile by itself.
  const silent = found.filter(
    ({ hasDefault, isGuarded, returnsNothing }) => hasDefault || (returnsNothing && !isGuarded),
  )
  expect(silent.map(({ file, line }) => `${file}:${line}`)).toEqual([])
})
