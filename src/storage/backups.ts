import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { DAY_MS, HOUR_MS } from '../domain/durations.ts'
import { type Copied, makeCopy } from './copies.ts'
import type { Store } from './store.ts'

const KEY = 'backup'
const CHECK_EVERY_MS = 60_000
/** A process that began a copy and has not finished it after this time is taken for dead. */
const GIVEN_UP_AFTER_MS = HOUR_MS
/** A copy may be as old as this many intervals. */
const LATE = 2
/** Longest delay before a failed copy is retried. */
const RETRY_MS = HOUR_MS / 6

const kept = z.object({ at: z.number().optional(), begunAt: z.number() })

type BackupDeps = {
  config: Config
  store: Pick<Store, 'readAt' | 'put'>
  now: () => number
  onDone: (copied: Copied) => void
  onError: (error: unknown) => void
}

export type Backups = ReturnType<typeof createBackups>

/** Writes a copy into `BACKUP_DIR` every `BACKUP_EVERY`, by one of all replicas. The store keeps the time. */
export function createBackups({ config, store, now, onDone, onError }: BackupDeps) {
  const { backupDir: folder, backupEvery: everyMs } = config
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let lastAt: number | undefined
  let failure: unknown
  const startedAt = now()

  async function copyIfDue(dir: string): Promise<void> {
    const { at, entry } = await store.readAt(KEY)
    const { at: last, begunAt } = entry ? kept.parse(JSON.parse(entry.value.toString())) : { begunAt: 0 }
    lastAt = last
    const isUnderWay = begunAt !== last && Math.abs(at - begunAt) < GIVEN_UP_AFTER_MS
    // A copy from the future was made while a clock was wrong, and does not count.
    if (isUnderWay || (last !== undefined && Math.abs(at - last) < everyMs)) return
    const note = async (value: z.infer<typeof kept>, version: string | null) =>
      store.put({ key: KEY, value: Buffer.from(JSON.stringify(value)) }, version)
    if (!(await note({ at: last, begunAt: at }, entry?.version ?? null))) return
    // Another process may write in between: a lost end would have the copy made, and announced, again.
    const ended = async (value: z.infer<typeof kept>) => {
      while (!(await note(value, (await store.readAt(KEY)).entry?.version ?? null)));
    }
    const { copied } = await makeCopy(config, dir, at).catch(async (error: unknown) => {
      failure = error
      await ended({ at: last, begunAt: at - GIVEN_UP_AFTER_MS + Math.min(RETRY_MS, everyMs) })
      throw error
    })
    await thinOut(dir, at)
    await ended({ at, begunAt: at })
    lastAt = at
    onDone(copied)
  }

  const run = (dir: string) => {
    running ??= copyIfDue(dir)
      .catch(onError)
      .finally(() => {
        running = undefined
      })
    return running
  }

  return {
    /** Checks now, and then every minute, whether a copy is due. */
    start() {
      if (folder === undefined) return
      void run(folder)
      timer = setInterval(() => void run(folder), CHECK_EVERY_MS).unref()
    },
    /** Age of the newest copy; `undefined` before the first one. */
    ageMs: (): number | undefined => (lastAt === undefined ? undefined : now() - lastAt),
    /** Rejects if the first copy failed, or if the newest copy, or without one the process, is too old. */
    async check() {
      if (folder === undefined) return
      if (lastAt === undefined && failure !== undefined) throw failure
      if (now() - (lastAt ?? startedAt) > LATE * everyMs) throw new Error('the newest copy is too old')
    },
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

const FILE = /^porsa-\d{8}T\d{9}Z\.db$/
const KEPT = 7

/** Removes all but the newest copies, and the leftovers of killed processes. */
async function thinOut(folder: string, now: number): Promise<void> {
  const names = await readdir(folder)
  const left: string[] = []
  for (const name of names)
    if (/^\.(copy|rehearsal)-/.test(name) && (await stat(join(folder, name))).mtimeMs < now - DAY_MS)
      left.push(name)
  const old = names
    .filter((name) => FILE.test(name))
    .sort()
    .slice(0, -KEPT)
  for (const name of [...left, ...old]) await rm(join(folder, name), { recursive: true, force: true })
}
