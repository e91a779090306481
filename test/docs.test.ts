import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { variableNames } from '../src/config.ts'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

test('the README explains every setting', () => {
  const rows = read('README.md').match(/^\| `[A-Z_`, ]+` \|/gm) ?? []
  const explained = rows.flatMap((row) => row.match(/[A-Z_]+/g) ?? [])
  expect(explained.sort()).toEqual([...variableNames].sort())
})

test('every npm command of the README exists', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const named = [...read('README.md').matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !(name && name in scripts))).toEqual([])
})

describe.each(['README.md', 'docs/decisions.md'])('%s', (page) => {
  test('links and pictures lead somewhere', () => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link]) => link ?? '')
    expect(links.length).toBeGreaterThan(0)
    expect(links.filter((link) => !existsSync(new URL(link, new URL(page, root))))).toEqual([])
  })
})
