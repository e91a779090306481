import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { z } from 'zod'
import { bytes, count, type Table } from './table.ts'
import { takeTests } from './whole-test.ts'

const TESTS = 4

const kept = z.object({ entries: z.number(), bytes: z.number() })

/** The documents without a term that are left when a test is over and its result delivered. */
export async function measureKeptForEver(): Promise<Table> {
  const seen: z.infer<typeof kept>[] = []
  await takeTests(TESTS, (dataDir) => seen.push(keptForEver(join(dataDir, 'porsa.db'))))
  const [first, last] = [seen[0], seen.at(-1)]
  const each = (value: (one: z.infer<typeof kept>) => number) =>
    first && last ? (value(last) - value(first)) / (TESTS - 1) : Number.NaN
  return {
    title: 'Kept for ever',
    about: `What a finished record leaves behind without a term: to whom it belongs, so that its result can be had again and nobody else opens it. Nothing of it is an answer, a name or a number. ${TESTS} people take a test each on SQLite.`,
    rows: [
      {
        what: 'entries',
        value: each(({ entries }) => entries),
        show: count,
        goal: { most: 6 },
        means: 'Keys without an end, for each record.',
      },
      {
        what: 'bytes',
        value: each((one) => one.bytes),
        show: bytes,
        goal: { most: 2_000 },
        means: 'Their names and values, encrypted.',
      },
    ],
  }
}

function keptForEver(file: string): z.infer<typeof kept> {
  const db = new DatabaseSync(file, { readOnly: true })
  const sum = 'coalesce(sum(length(key) + length(value)), 0)'
  const row = db
    .prepare(`SELECT count(*) AS entries, ${sum} AS bytes FROM entry WHERE expires_at IS NULL`)
    .get()
  db.close()
  return kept.parse(row)
}
