import { z } from 'zod'
import type { Config } from '../config.ts'
import { DAY_MS } from '../domain/durations.ts'
import { accountsOf, isIn, type RecordFile } from '../domain/record/record.ts'
import { STUCK_MS } from '../domain/record/standing.ts'
import type { Sitting } from '../domain/sitting.ts'
import { ownerOf } from '../kept/assigned.ts'
import { accounts, recordFiles } from '../kept/documents.ts'
import { openSittingOf, sittingKey, type Whose } from '../kept/sittings.ts'
import { job } from '../mail/job.ts'
import type { Store } from '../store/store.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import { type AnnounceDeps, announce } from './announce.ts'
import { type NoticeDeps, postNotice } from './notices.ts'
import { type Handler, handler } from './task.ts'

/** Watches over an unfinished test; `toldAt`: the last activity that organizers were told of as the last one. By `S`. */
export const stuckJob = job(
  'stuck',
  z.object({ s: z.string(), since: z.number(), toldAt: z.number().optional() }),
)

const UNFINISHED = ['profile', 'code', 'loading', 'questions'] as const
const OVER = ['scored', 'done', 'elsewhere'] as const

/**
 * Tells the organizers, once, of somebody who has not gone on with an unfinished test for a day. When its answers have
 * been deleted the full name leaves as well (RETENTION_DAYS): what is still listed needs none.
 */
export function createStuckHandler(
  deps: NoticeDeps & AnnounceDeps & { store: Store; vault: Vault; config: Pick<Config, 'retentionDays'> },
): Handler {
  const { now, config } = deps
  return handler(stuckJob, async ({ body, work }) => {
    const { s, since, toldAt } = body
    const file = await work.get(recordFiles, s)
    if (!file || isIn(file, ...OVER)) return undefined
    const comeAgain = (at: number, changes = {}) => ({
      retryAt: at,
      retryBody: { ...body, ...changes },
      countsAsRetry: false,
    })
    const owner = await ownerOf({ work, vault: deps.vault }, file)
    const sitting = await sittingOf(deps, { who: owner, s })
    const last = Math.max(since, sitting?.lastActivityAt ?? (await lastVisit(work, file, owner)))
    const isIdle = now() - last >= config.retentionDays * DAY_MS
    if (!sitting && (isIdle || isIn(file, 'questions'))) delete file.shownAs
    if (now() - last < STUCK_MS) return comeAgain(last + STUCK_MS)
    if (toldAt === last || !(await isUnfinished(work, file))) return comeAgain(now() + STUCK_MS)
    announce(deps, work, file, 'stuck')
    await postNotice(deps, work, { key: 'notice-stuck', of: s, whose: file }, { title: file.test.title })
    return comeAgain(now() + STUCK_MS, { toldAt: last })
  })
}

/** Whether it is the participant who does not go on. A roadmap's test that was begun is watched over by itself. */
async function isUnfinished(work: UnitOfWork, file: RecordFile): Promise<boolean> {
  if (!isIn(file, 'board')) return isIn(file, ...UNFINISHED)
  const { records = [] } = file.roadmap ?? {}
  for (const { s } of records) {
    const record = await work.get(recordFiles, s)
    if (record && isIn(record, ...UNFINISHED)) return false
  }
  return records.some(({ isFinished }) => !isFinished)
}

async function sittingOf(
  { store, vault }: { store: Store; vault: Vault },
  whose: Whose,
): Promise<Sitting | undefined> {
  const [entry] = await store.read([sittingKey(whose.s)])
  return entry && openSittingOf(vault, whose, entry)
}

/** When somebody was last here who takes part; of a roadmap that may be anybody. */
async function lastVisit(work: UnitOfWork, file: RecordFile, owner: string | undefined): Promise<number> {
  let last = 0
  for (const who of accountsOf(file, owner)) {
    const account = await work.get(accounts, who)
    last = Math.max(last, account?.activeAt ?? 0)
  }
  return last
}
