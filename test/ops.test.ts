import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createMetrics } from '../src/observe/metrics.ts'

const path = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const read = (name: string) => readFileSync(path(name), 'utf8')

/** One rule of the file, in the only form that it uses. */
const RULE =
  /^ {6}- alert: (?<name>\w+)\n {8}expr: '(?<expr>[^'\n]+)'\n {8}for: (?<term>\d+[mh])\n {8}labels:\n {10}severity: (?<severity>page|warn)\n {8}annotations:\n {10}summary: '(?<summary>[^'\n]+)'\n {10}action: '(?<action>[^'\n]+)'\n/gm
const alertsFile = read('ops/prometheus-alerts.yml')
const alerts = [...alertsFile.matchAll(RULE)].map(({ groups }) =>
  z
    .object({ name: z.string(), expr: z.string(), summary: z.string(), action: z.string() })
    .parse({ ...groups }),
)

const target = z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() })
const place = z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() })
const dashboard = z
  .object({
    title: z.literal('Porsa'),
    uid: z.string(),
    schemaVersion: z.number(),
    panels: z.array(
      z.object({
        id: z.number(),
        type: z.enum(['row', 'stat', 'timeseries']),
        title: z.string(),
        gridPos: place,
        targets: z.array(target).default([]),
      }),
    ),
  })
  .parse(JSON.parse(read('ops/grafana-dashboard.json')))
const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

const metricsIn = (text: string) => [...text.matchAll(/porsa_\w+/g)].map(([name]) => name)
const base = (name: string) => name.replace(/_(bucket|sum|count)$/, '')

async function existing(): Promise<Set<string>> {
  const metrics = createMetrics()
  metrics.part('storage', true)
  const names = [...(await metrics.text()).matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name ?? '')
  return new Set(names)
}

describe('alerts', () => {
  test('every rule has the complete form', () => {
    expect(alerts.length).toBe(alertsFile.match(/- alert:/g)?.length)
    expect(alertsFile.replace(RULE, '').trim().split('\n').slice(1)).toEqual([
      'groups:',
      '  - name: porsa',
      '    rules:',
    ])
    expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length)
  })

  test('each alert says what to do', () => {
    for (const { name, action } of alerts)
      expect([name, action]).toEqual([name, expect.stringMatching(/\w.*[.?]$/)])
    expect(new Set(alerts.map(({ action }) => action)).size).toBe(alerts.length)
  })

  test('each alert is raised by a fault of `npm run alerts`', () => {
    const folder = path('tools/alerts/')
    const files = readdirSync(folder).filter((file) => file.startsWith('alerts-'))
    const made = files.flatMap((file) => [...read(`tools/alerts/${file}`).matchAll(/^fault\(\s*'(\w+)'/gm)])
    expect([...new Set(made.map(([, name]) => name))].sort()).toEqual(alerts.map(({ name }) => name).sort())
  })

  test('promtool, if installed, accepts the rules and their tests', () => {
    if (spawnSync('promtool', ['--version']).status !== 0) {
      console.log('skipped: promtool not found')
      return
    }
    for (const config of ['prometheus', 'prometheus-compose'])
      execFileSync('promtool', ['check', 'config', path(`ops/${config}.yml`)], { stdio: 'pipe' })
    execFileSync('promtool', ['check', 'rules', path('ops/prometheus-alerts.yml')], { stdio: 'pipe' })
    execFileSync('promtool', ['test', 'rules', path('ops/prometheus-alerts.test.yml')], { stdio: 'pipe' })
  })
})

test('the panels of the dashboard do not overlap', () => {
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}:${y + Math.floor(cell / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
})

test.each([
  ['the alerts', alerts.map(({ expr }) => expr).join(' ')],
  ['the dashboard', shown.join(' ')],
])('every metric that %s name exists', async (_, text) => {
  const known = await existing()
  const named = metricsIn(text)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !known.has(name) && !known.has(base(name)))).toEqual([])
})

test('every metric of the bot is explained and shown', async () => {
  const metrics = createMetrics()
  metrics.part('storage', true)
  const own = [...(await existing())].filter((name) => !/^porsa_(process|nodejs)_/.test(name))
  const explained = new Set(
    [...(await metrics.text()).matchAll(/^# HELP (\w+) \w.{9,}/gm)].map(([, name]) => name),
  )
  expect(own.filter((name) => !explained.has(name))).toEqual([])
  const drawn = new Set(metricsIn(shown.join(' ')).map(base))
  expect(own.filter((name) => !drawn.has(name))).toEqual([])
})

test('the systemd unit uses only existing settings, and separates data and key', () => {
  const unit = read('ops/porsa.service')
  expect(unit.match(/^Environment=\w+/gm)).toEqual(['Environment=NODE_ENV', 'Environment=DATA_DIR'])
  expect(unit).toMatch(/^ExecStart=\/usr\/bin\/env DATA_KEY_FILE=%d\/data\.key /m)
  expect(unit).toMatch(/^RestartPreventExitStatus=1$/m)
  expect(unit).toContain('LoadCredential=data.key:/etc/porsa/data.key')
})
