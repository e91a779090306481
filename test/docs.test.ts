import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { variableNames } from '../src/config.ts'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

test('docs/operations.md explains every setting', () => {
  const rows = read('docs/operations.md').match(/^\| `[A-Z_`, ]+` \|/gm) ?? []
  const explained = rows.flatMap((row) => row.match(/[A-Z_]+/g) ?? [])
  expect(explained.sort()).toEqual([...variableNames].sort())
})

test('every npm command of the README exists', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const named = [...read('README.md').matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !(name && name in scripts))).toEqual([])
})

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/adding.md',
  'docs/architecture.md',
  'docs/benchmarks.md',
  'docs/decisions.md',
  'docs/dependencies.md',
  'docs/operations.md',
  'docs/organizers.md',
  'docs/proof.md',
]

describe.each(pages)('%s', (page) => {
  test('links and pictures lead somewhere', () => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link]) => link ?? '')
    expect(links.filter((link) => !existsSync(new URL(link, new URL(page, root))))).toEqual([])
  })

  test('what it points to inside of itself is there', () => {
    const text = read(page)
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    const anchors = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor ?? '')
    expect(anchors.filter((anchor) => !headings.includes(anchor))).toEqual([])
  })

  test('every file of ours that it names exists', () => {
    const named = [...read(page).matchAll(/`((?:src|test|ops|docs|locales)\/[\w./-]+)`/g)].map(
      ([, file]) => file ?? '',
    )
    expect(named.filter((file) => !existsSync(new URL(file, root)))).toEqual([])
  })
})
