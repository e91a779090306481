import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { findProgram, freePort } from '../../test/storage/redis-server.ts'
import { temporaryFolder } from '../../test/storage/worlds.ts'
import { until } from '../../test/until.ts'

const SHIPPED = new URL('../../ops/prometheus-alerts.yml', import.meta.url)
const UNIT_MS = { m: 60_000, h: 3_600_000 } as const
/** With the shipped terms Prometheus scrapes as often as ops/prometheus.yml says. */
const SCRAPED_MS = { asShipped: 15_000, fastest: 2_000 }

const alerts = z.object({
  data: z.object({
    alerts: z.array(
      z.object({
        labels: z.looseObject({ alertname: z.string(), severity: z.string() }),
        annotations: z.object({ summary: z.string(), action: z.string() }),
        state: z.enum(['pending', 'firing']),
      }),
    ),
  }),
})
const samples = z.object({
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
})

export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>

export const findPrometheus = (): string | undefined => findProgram('prometheus')

/** The times of a rule in milliseconds: how long it waits, and how far it looks back. */
type Rule = { termMs: number; windowMs: number }

/** The shipped rules, by the names of their alerts. */
export function readRules(text = readFileSync(SHIPPED, 'utf8')): ReadonlyMap<string, Rule> {
  const found = text.matchAll(/- alert: (\w+)\n +expr: (.+)\n +for: (\d+)([mh])\n/g)
  return new Map(
    [...found].map(([, name = '', expression = '', count, unit]) => {
      const windows = [...expression.matchAll(/\[(\d+)([mh])\]/g)].map(([, length, of]) => msOf(length, of))
      return [name, { termMs: msOf(count, unit), windowMs: Math.max(0, ...windows) }]
    }),
  )
}

/** The shipped rules with terms and windows that are `factor` times shorter. */
export const inHaste = (rules: string, factor: number): string =>
  rules.replace(
    /(for: |\[)(\d+)([mh])\b/g,
    (_, before, count, unit) => `${before}${msOf(count, unit) / factor}ms`,
  )

const msOf = (count = '', unit = 'm'): number => Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]

type Options = { program: string; targets: readonly string[]; factor: number }

/** A real Prometheus that scrapes these targets and evaluates the shipped rules. */
export async function startPrometheus({ program, targets, factor }: Options) {
  const dir = await temporaryFolder()
  const scrapedMs = Math.max(SCRAPED_MS.asShipped / factor, SCRAPED_MS.fastest)
  await writeFile(join(dir, 'rules.yml'), inHaste(readFileSync(SHIPPED, 'utf8'), factor))
  await writeFile(
    join(dir, 'prometheus.yml'),
    JSON.stringify({
      global: {
        scrape_interval: `${scrapedMs}ms`,
        scrape_timeout: `${scrapedMs}ms`,
        evaluation_interval: '1s',
      },
      rule_files: ['rules.yml'],
      scrape_configs: [{ job_name: 'porsa', static_configs: [{ targets }] }],
    }),
  )
  const address = `127.0.0.1:${await freePort()}`
  const own = [`--config.file=${join(dir, 'prometheus.yml')}`, `--storage.tsdb.path=${join(dir, 'data')}`]
  const child: ChildProcess = spawn(
    program,
    [...own, `--web.listen-address=${address}`, '--log.level=error'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ask = async (path: string): Promise<unknown> =>
    (await fetch(`http://${address}/api/v1/${path}`)).json()
  const isUp = () =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(isUp, { timeoutMs: 60_000, explain: () => said })
  return {
    scrapedMs,
    /** The alerts that are raised now. */
    async firing() {
      const { data } = alerts.parse(await ask('alerts'))
      return data.alerts.filter(({ state }) => state === 'firing')
    },
    /** The figures of an expression. */
    async figures(expression: string): Promise<number[]> {
      const { data } = samples.parse(await ask(`query?query=${encodeURIComponent(expression)}`))
      return data.result.map(({ value: [, figure] }) => Number(figure))
    },
    async stop(): Promise<void> {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
