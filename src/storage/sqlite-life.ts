import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Entries } from './sqlite-entries.ts'

const LIFE_KEY = '#life'
const life = z.object({ id: z.string(), begun: z.int() })

/**
 * Detects a restored file. Every act that must not be repeated is counted in the file, and in two files in
 * the folder and beside it. A database file with a lower count than theirs is an older one.
 */
export function createSqliteLife(dir: string, entries: Entries, now: number, isOwn = true) {
  const inside = join(dir, 'porsa.begun')
  // A restore may replace the whole folder. The place beside it is not always writable.
  const beside = `${dir}.begun`
  const value = entries.read(LIFE_KEY, now)?.value.toString()
  const kept = value === undefined ? undefined : life.parse(JSON.parse(value))
  const counted = Math.max(readCount(inside), readCount(beside))
  const isOlder = isOwn && (kept === undefined || kept.begun < counted)
  const id = isOlder || !kept ? randomBytes(6).toString('base64url') : kept.id
  let begun = Math.max(kept?.begun ?? 0, counted)
  const keep = () => entries.write({ key: LIFE_KEY, value: Buffer.from(JSON.stringify({ id, begun })) })
  if (isOlder) keep()

  return {
    id,
    /** Counts an act that is about to start, in the same transaction. */
    noteBegun(): void {
      begun += 1
      keep()
    },
    /** Writes the count to the two other files, once the transaction is on disk. */
    noteOutside(): void {
      writeFileSync(inside, String(begun), { mode: 0o600 })
      orNothing(() => writeFileSync(beside, String(begun), { mode: 0o600 }))
    },
  }
}

const readCount = (file: string): number =>
  orNothing(() => Number.parseInt(readFileSync(file, 'utf8'), 10)) || 0

function orNothing<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
