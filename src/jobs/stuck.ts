import { z } from 'zod'
import { STUCK_MS } from '../domain/record/board-stage.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { accounts, recordFiles } from '../kept/documents.ts'
import { openSittingOfFile, sittingKey } from '../kept/sittings.ts'
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

/** Tells the organizers, once, of somebody who has not gone on with an unfinished test for a day. */
export function createStuckHandler(
  deps: NoticeDeps & AnnounceDeps & { store: Store; vault: Vault },
): Handler {
  const { now } = deps
  return handler(stuckJob, async ({ body, work }) => {
    const { s, since, toldAt } = body
    const file = await work.get(recordFiles, s)
    if (!file || isIn(file, ...OVER)) return undefined
    const comeAgain = (at: number, changes = {}) => ({
      retryAt: at,
      retryBody: { ...body, ...changes },
      countsAsRetry: false,
    })
    const last = Math.max(since, await lastActivity(deps, work, file))
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

/** Answers come without touching the account; of a roadmap, whoever takes part may have been here last. */
async function lastActivity(
  { store, vault }: { store: Store; vault: Vault },
  work: UnitOfWork,
  file: RecordFile,
): Promise<number> {
  const [entry] = await store.read([sittingKey(file.s)])
  const sitting = entry && openSittingOfFile(vault, file, entry)
  if (sitting) return sitting.lastActivityAt
  const people = [file.owner, ...(file.roadmap?.hands.map(({ who }) => who) ?? [])]
  let last = 0
  for (const who of people) {
    const account = who === undefined ? undefined : await work.get(accounts, who)
    last = Math.max(last, account?.activeAt ?? 0)
  }
  return last
}
