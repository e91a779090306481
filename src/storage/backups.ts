import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { DAY_MS, HOUR_MS } from '../domain/durations.ts'
import { type Copied, makeCopy } from './copies.ts'
import type { Store } from './store.ts'

const KEY = 'backup'
const LOOK_EVERY_MS = 60_000
/** Whoever began one and said no more has ended. */
const GIVEN_UP_AFTER_MS = HOUR_MS
/** So many times its interval a copy may be old. */
const LATE = 2
/** What failed is tried again after so long at most. */
const AGAIN_MS = HOUR_MS / 6

const kept = z.object({ at: z.number().optional(), begunAt: z.number() })

type BackupDeps = {
  config: Config
  store: Pick<Store, 'readAt' | 'put'>
  now: () => number
  onDone: (copied: Copied) => void
  onError: (error: unknown) => void
}

export type Backups = ReturnType<typeof createBackups>

/** Puts a copy into `BACKUP_DIR` every `BACKUP_EVERY`: one of all replicas does, and the store remembers when. */
export function createBackups({ config, store, now, onDone, onError }: BackupDeps) {
  const { backupDir: folder, backupEvery: everyMs } = config
  let timer: NodeJS.Timeout | undefined
  let under: Promise<void> | undefined
  let lastAt: number | undefined
  let failure: unknown
  const startedAt = now()

  async function look(dir: string): Promise<void> {
    const { at, entry } = await store.readAt(KEY)
    const { at: last, begunAt } = entry ? kept.parse(JSON.parse(entry.value.toString())) : { begunAt: 0 }
    lastAt = last
    const isUnderWay = begunAt !== last && Math.abs(at - begunAt) < GIVEN_UP_AFTER_MS
    // One of a time that is further ahead was made while the clock was wrong, and does not count.
    if (isUnderWay || (last !== undefined && Math.abs(at - last) < everyMs)) return
    const note = async (value: z.infer<typeof kept>, version: string | null) =>
      store.put({ key: KEY, value: Buffer.from(JSON.stringify(value)) }, version)
    if (!(await note({ at: last, begunAt: at }, entry?.version ?? null))) return
    const ended = async (value: z.infer<typeof kept>) =>
      note(value, (await store.readAt(KEY)).entry?.version ?? null)
    const { copied } = await makeCopy(config, dir, at).catch(async (error: unknown) => {
      failure = error
      await ended({ at: last, begunAt: at - GIVEN_UP_AFTER_MS + Math.min(AGAIN_MS, everyMs) })
      throw error
    })
    await thinOut(dir, at)
    await ended({ at, begunAt: at })
    lastAt = at
    onDone(copied)
  }

  const turn = (dir: string) => {
    under ??= look(dir)
      .catch(onError)
      .finally(() => {
        under = undefined
      })
    return under
  }

  return {
    /** Looks at once, then every minute, whether it is time for one. */
    start() {
      if (folder === undefined) return
      void turn(folder)
      timer = setInterval(() => void turn(folder), LOOK_EVERY_MS).unref()
    },
    /** How old the newest copy is; `undefined` before the first one. */
    ageMs: (): number | undefined => (lastAt === undefined ? undefined : now() - lastAt),
    /** Rejects where the first one failed, and where the newest one, or this process without any, is too old. */
    async check() {
      if (folder === undefined) return
      if (lastAt === undefined && failure !== undefined) throw failure
      if (now() - (lastAt ?? startedAt) > LATE * everyMs) throw new Error('the newest copy is too old')
    },
    async stop() {
      clearInterval(timer)
      await under
    },
  }
}

const FILE = /^porsa-\d{8}T\d{9}Z\.db$/
/** So many copies are kept. */
const KEPT = 7

/** Removes all but the newest copies, and what a process that was killed has left. */
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
