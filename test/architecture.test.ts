import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

/** From the lowest layer up; the folders of one line may use each other. */
const floors = [
  ['domain'],
  ['storage'],
  ['service'],
  ['telegram'],
  ['queue'],
  ['views', 'pictures'],
  ['jobs'],
  ['dialog'],
  ['participant', 'organizer'],
  ['answering'],
  ['inbox'],
  ['open-storage.ts'],
  ['app.ts'],
  ['watch-self.ts'],
  ['run.ts'],
  ['start.ts'],
]
/** Used by every layer; they use only each other. */
const everywhere = ['config.ts', 'config-values.ts', 'redis-url.ts', 'environment.ts', 'texts', 'observe']
/** They use what they need, and no other file uses them. */
const entries = ['main.ts', 'cli']
/** What each tool uses besides itself: the bot, helpers of the tests, other tools. */
const tools: Record<string, readonly string[]> = {
  sandbox: [],
  emulator: [],
  texts: ['src'],
  demo: ['src', 'sandbox', 'emulator'],
  bench: ['src', 'sandbox', 'emulator'],
  screens: ['src', 'demo', 'emulator'],
  simulate: ['src', 'test', 'sandbox', 'emulator', 'bench'],
  faults: [],
  mutate: ['test'],
  alerts: ['test', 'sandbox'],
  pages: ['src'],
  chaos: ['test', 'sandbox', 'emulator', 'bench', 'simulate'],
}
/** Generated files, which may have any length. */
const generated = new Set([join('src', 'texts', 'keys.ts')])

const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|js)$/.test(file))
    .map((file) => join(folder, file))
const ofBot = filesIn('src')
const ofTools = filesIn('tools').filter((file) => !/vite(st)?\.config\.ts$/.test(file))
const files = [...ofBot, ...ofTools]
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

const folderOf = (file: string) => file.split(sep)[0] ?? file
const partOf = (file: string) => file.split(sep)[1] ?? file

/** The project's own files that a file imports, including types. */
function importsOf(file: string): string[] {
  const found = (sources.get(file) ?? '').matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.{1,2}\/[^']+)'/g)
  return [...found].map(([, path = '']) => join(dirname(file), path))
}

const edges = files.flatMap((file) => importsOf(file).map((target) => ({ file, target })))

function mayUse(from: string, to: string): boolean {
  if (from === to) return true
  if (entries.includes(to)) return false
  if (entries.includes(from) || everywhere.includes(to)) return true
  if (everywhere.includes(from)) return false
  const floorOf = (part: string) => floors.findIndex((floor) => floor.includes(part))
  return floorOf(to) >= 0 && floorOf(to) <= floorOf(from)
}

/** Whether a tool imports a file that it should not use. */
function isForeign({ file, target }: { file: string; target: string }): boolean {
  const own = partOf(file)
  if (folderOf(target) === 'tools') return partOf(target) !== own && !tools[own]?.includes(partOf(target))
  return !tools[own]?.includes(folderOf(target)) || entries.includes(partOf(target))
}

test('the imports of the files are found', () => {
  expect(edges.length).toBeGreaterThan(files.length / 2)
  const lost = edges.filter(({ target }) => /\.(ts|js)$/.test(target) && !existsSync(join(root, target)))
  expect(lost.map(({ file, target }) => `${file} → ${target}`)).toEqual([])
})

test('every file belongs to a layer or to a tool', () => {
  const known = new Set([...floors.flat(), ...everywhere, ...entries])
  expect(ofBot.filter((file) => !known.has(partOf(file)))).toEqual([])
  expect(ofTools.filter((file) => !(partOf(file) in tools))).toEqual([])
})

test('the bot imports only its own files', () => {
  const leaving = edges.filter(({ file, target }) => folderOf(file) === 'src' && folderOf(target) !== 'src')
  expect(leaving.map(({ file, target }) => `${file} → ${target}`)).toEqual([])
  expect(ofBot.filter((file) => sources.get(file)?.includes('isPlanted'))).toEqual([])
})

test('a folder imports only from the layers below its own', () => {
  const wrong = edges.filter(
    ({ file, target }) => folderOf(file) === 'src' && !mayUse(partOf(file), partOf(target)),
  )
  expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([])
})

test('a tool imports only what it may use', () => {
  const wrong = edges.filter((edge) => folderOf(edge.file) === 'tools' && isForeign(edge))
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

test('every file has a specific name in kebab-case: no utils, no helpers', () => {
  const names = files.flatMap((file) => file.split(sep))
  expect(names.filter((name) => /^(utils?|helpers?|common|misc)(\.|$)/.test(name))).toEqual([])
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.config)?(\.ts|\.js)?$/.test(name))).toEqual([])
})

test('only the entry of a process reads its environment', () => {
  const programs = ['main.ts', join('cli', 'porsa.ts')].map((file) => join('src', file))
  const readers = ofBot.filter((file) => /\bprocess\.env\b/.test(sources.get(file) ?? ''))
  expect(readers.filter((file) => !programs.includes(file))).toEqual([])
})

test('only a transition of the record writes its state', () => {
  const owner = join('src', 'domain', 'record', 'transitions.ts')
  const writers = ofBot.filter((file) => /\.state = (?!=)/.test(sources.get(file) ?? ''))
  expect(writers.filter((file) => file !== owner)).toEqual([])
})

/** Each switch: whether it has a `default`, a check of the rest, and a function that returns nothing. */
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
    const isGuarded = / satisfies never$/.test(lines[end + 1] ?? '')
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
  const found = ofBot.flatMap((file) =>
    switchesOf(sources.get(file) ?? '').map((each) => ({ file, ...each })),
  )
  expect(found.length).toBeGreaterThan(8)
  // A function that returns a value does not compile without the missing case.
  const silent = found.filter(
    ({ hasDefault, isGuarded, returnsNothing }) => hasDefault || (returnsNothing && !isGuarded),
  )
  expect(silent.map(({ file, line }) => `${file}:${line}`)).toEqual([])
})
