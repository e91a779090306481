import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { compareAnswers } from './answers.ts'
import { measureBoards } from './boards.ts'
import { measureBudget } from './budget.ts'
import { measureDialog } from './dialog.ts'
import { measureKeptForEver } from './kept-for-ever.ts'
import { measureLargeResult } from './large-result.ts'
import { measureLatency } from './latency.ts'
import { measureMemory } from './memory.ts'
import { measureAttempts } from './open-attempts.ts'
import { pageOf } from './page.ts'
import { measurePicture } from './picture.ts'
import { inPlace, type Place } from './place.ts'
import { measureStart } from './start-time.ts'
import { measureStrangers } from './strangers.ts'
import { markdown, type Table } from './table.ts'
import { measureTraffic } from './traffic.ts'
import { measureWaitingJobs } from './waiting-jobs.ts'
import { measureWebhook } from './webhook.ts'

/** Each part by the name that selects it, in the order of the page. */
const parts: Readonly<Record<string, (place: Place) => Promise<Table>>> = {
  answers: compareAnswers,
  webhook: measureWebhook,
  latency: measureLatency,
  traffic: measureTraffic,
  budget: measureBudget,
  attempts: measureAttempts,
  memory: measureMemory,
  jobs: measureWaitingJobs,
  dialog: measureDialog,
  picture: measurePicture,
  result: measureLargeResult,
  start: measureStart,
  kept: measureKeptForEver,
  boards: measureBoards,
  strangers: measureStrangers,
}

const PAGE = new URL('../../docs/benchmarks.md', import.meta.url)

/** Measures the named parts, or all; with `--write` the results of all become docs/benchmarks.md. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { short: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  })
  const unknown = positionals.filter((name) => !(name in parts))
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}: ${Object.keys(parts).join(', ')}`)
    process.exit(1)
  }
  if (values.write && (values.short || positionals.length > 0)) {
    console.error('Only all parts, at full length, are written')
    process.exit(1)
  }
  const startedAt = performance.now()
  const tables: Table[] = []
  for (const [name, measure] of Object.entries(parts)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const table = await inPlace(values.short, measure).catch((error: unknown) => failed(name, error))
    console.log(`\n${markdown(table)}`)
    tables.push(table)
  }
  console.log(`\n${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`)
  if (!values.write) return
  writeFileSync(PAGE, pageOf(tables))
  console.log('written to docs/benchmarks.md')
}

/** Reports the error of a part; the other parts are still measured. */
function failed(name: string, error: unknown): Table {
  console.error(error)
  process.exitCode = 1
  return { title: name, about: 'Failed in this run.', rows: [], skipped: String(error) }
}

await main()
