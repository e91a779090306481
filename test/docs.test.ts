import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { variableNames } from '../src/config.ts'
import { alertsList, settingsList, withLists } from '../tools/pages/tables.ts'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const { scripts } = JSON.parse(read('package.json'))
const wordsIn = (text: string) => text.split(/\s+/).filter(Boolean).length

/** Every page below a folder, except in folders of built or installed files. */
function pagesIn(folder: string): string[] {
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) => {
    if (/^(\.|node_modules$|dist|data)/.test(entry.name)) return []
    if (entry.isDirectory()) return pagesIn(`${folder}${entry.name}/`)
    return entry.name.endsWith('.md') ? [`${folder}${entry.name}`] : []
  })
}
const pages = pagesIn('./').map((path) => path.slice(2))

test('docs/operate.md lists the present settings and alerts: `npm run pages` writes them', () => {
  const page = read('docs/operate.md')
  const settings = settingsList(variableNames, read('.env.example'))
  const alerts = alertsList(read('ops/prometheus-alerts.yml'))
  const all = read('ops/prometheus-alerts.yml').match(/- alert:/g)
  expect(alerts.match(/^- /gm)).toHaveLength(all?.length ?? 0)
  expect(withLists(page, { settings, alerts })).toBe(page)
})

test('every npm command of the README exists', () => {
  const named = [...read('README.md').matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !(name && name in scripts))).toEqual([])
})

test('all pages together have at most 10,000 words', () => {
  expect(pages.length).toBeGreaterThan(12)
  expect(wordsIn(pages.map(read).join('\n'))).toBeLessThanOrEqual(10_000)
})

test('the changelog of 1.0 has at most 400 words', () => {
  const versions = read('CHANGELOG.md').split(/^## \[/m)
  const first = versions.find((version) => version.startsWith('1.0.0]')) ?? ''
  expect(wordsIn(first)).toBeGreaterThan(100)
  expect(wordsIn(first)).toBeLessThanOrEqual(400)
})

test('the guide to conversation tests has at most 400 words, and begins with a real story', () => {
  const page = read('docs/conversation-tests.md')
  expect(wordsIn(page)).toBeLessThanOrEqual(400)
  const [, story = ''] = /```ts\n(story\(.+?)```/s.exec(page) ?? []
  const stories = readdirSync(new URL('test/dialogs/', root)).map((file) => read(`test/dialogs/${file}`))
  expect(stories.filter((file) => file.includes(story || 'no story'))).toHaveLength(1)
})

describe('each decision has its date, and says when to reconsider it', () => {
  const [, ...decisions] = read('docs/decisions.md').split(/^## /m)
  test.each(decisions.map((decision) => [decision.split('\n')[0], decision]))('%s', (_, decision) => {
    expect(decision).toMatch(/^\d+\. .+\n\n20\d\d-\d\d-\d\d\. /)
    expect(decision).toMatch(/\*Reopen\s+when\*/)
  })
  test.each([
    'grammy',
    '@grammyjs/conversations',
    '@grammyjs/storage-redis',
    'ioredis',
    'undici',
    'zod',
    'vitest',
  ])('one says where %s is used', (name) => {
    expect(read('docs/decisions.md')).toContain(`- \`${name}\`: `)
  })
})

/** The anchors of a page, made of its headings as GitHub does. */
function headingsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

describe.each(pages)('%s', (page) => {
  test('links and pictures lead to existing files', () => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link]) => link ?? '')
    expect(links.filter((link) => !existsSync(new URL(link, new URL(page, root))))).toEqual([])
  })

  test('anchors within the page exist', () => {
    const anchors = [...read(page).matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor ?? '')
    expect(anchors.filter((anchor) => !headingsOf(page).includes(anchor))).toEqual([])
  })

  test('anchors in other pages exist', () => {
    const links = [...read(page).matchAll(/\]\(([^)#:]+\.md)#([^)]+)\)/g)]
    const lost = links.filter(([, path = '', anchor = '']) => {
      const other = new URL(path, new URL(page, root)).href.slice(root.href.length)
      return !headingsOf(other).includes(anchor)
    })
    expect(lost.map(([link]) => link)).toEqual([])
  })

  test('every npm command of the page exists', () => {
    const named = [...read(page).matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name)
    expect(named.filter((name) => !(name && name in scripts))).toEqual([])
  })

  test('every project file that the page names exists', () => {
    const named = [...read(page).matchAll(/`((?:src|tools|test|ops|docs|locales)\/[\w./-]+)`/g)].map(
      ([, file]) => file ?? '',
    )
    expect(named.filter((file) => !existsSync(new URL(file, root)))).toEqual([])
  })
})
