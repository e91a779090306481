import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import packageJson from '../package.json' with { type: 'json' }

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const page = read('docs/dependencies.md')
const lockfile = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        version: z.string().optional(),
        license: z.string().optional(),
        dev: z.boolean().optional(),
        devOptional: z.boolean().optional(),
      }),
    ),
  })
  .parse(JSON.parse(read('package-lock.json'))).packages

const rows = [...page.matchAll(/^\| `(\S+)` \|(.*)\|$/gm)].map(([, name = '', rest = '']) => {
  const [version = '', licence = '', released = '', purpose = '', reason = ''] = rest
    .split('|')
    .map((cell) => cell.trim())
  return { name, version, licence, released, purpose, reason }
})

test('the page lists every run-time dependency as in the lockfile', () => {
  const locked = Object.keys(packageJson.dependencies).map((name) => {
    const { version, license } = lockfile[`node_modules/${name}`] ?? {}
    return { name, version, licence: license }
  })
  expect(rows.map(({ name, version, licence }) => ({ name, version, licence }))).toEqual(locked)
  expect(rows.filter(({ purpose }) => purpose === '')).toEqual([])
})

test('a dependency whose release is older than 18 months has a reason and an alternative', () => {
  const [lookedAt = ''] = /\d{4}-\d{2}-\d{2}/.exec(page) ?? []
  const day = new Date(lookedAt)
  day.setUTCMonth(day.getUTCMonth() - 18)
  const oldest = day.toISOString().slice(0, 10)
  for (const { name, released, reason } of rows) {
    expect(released, name).toMatch(/^20\d\d-\d\d-\d\d$/)
    expect(reason !== '', name).toBe(released < oldest)
  }
})

test('the packages that they bring have only the named licences', () => {
  const brought = Object.entries(lockfile).filter(
    ([path, { dev, devOptional }]) => path && !dev && !devOptional,
  )
  const licences = [...new Set(brought.map(([path, { license }]) => license ?? `none: ${path}`))].sort()
  const named = /one of these licences: (.+)\.\n/.exec(page)?.[1]?.split(/, | and /)
  expect(named?.map((name) => name.trim())).toEqual(licences)
})
