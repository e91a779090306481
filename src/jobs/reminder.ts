import { z } from 'zod'
import type { Config } from '../config.ts'
import { isIn, type RecordFile } from '../domain/record/record.ts'
import { afterQuietHours, reminderDue } from '../domain/reminding.ts'
import { allFinished, mayAnswer } from '../domain/roadmap.ts'
import { ownerOf } from '../kept/assigned.ts'
import { accounts, recordFiles } from '../kept/documents.ts'
import { onBehalf } from '../kept/owed-result.ts'
import { openSittingOf, sittingKey } from '../kept/sittings.ts'
import { postEvent } from '../mail/chat-message.ts'
import { guardCurrent } from '../mail/current.ts'
import { job } from '../mail/job.ts'
import type { Store } from '../store/store.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import { type Handler, handler } from './task.ts'

/** How many reminders were sent since the activity of a time. By the account. */
export const reminderJob = job('reminder', z.object({ onBehalf, sent: z.number(), since: z.number() }))

/** Recalls what an account has begun and not finished, some hours after its last activity and never at night. */
export function createReminderHandler(deps: {
  store: Store
  vault: Vault
  config: Pick<Config, 'reminderHours' | 'quietHours'>
  now: () => number
}): Handler {
  const { store, vault, config, now } = deps

  /** When this account was last active; answers come without touching it. */
  async function lastActivity(activeAt: number, files: readonly RecordFile[], who: string): Promise<number> {
    const entries = await store.read(files.map(({ s }) => sittingKey(s)))
    const answeredAt = files.map(({ s }, index) => {
      const entry = entries[index]
      return (entry && openSittingOf(vault, { who, s }, entry)?.lastActivityAt) ?? 0
    })
    return Math.max(activeAt, ...answeredAt)
  }

  return handler(reminderJob, async ({ body: { onBehalf, since, sent: sentSince }, work }) => {
    const { who } = onBehalf
    const account = (await guardCurrent(work, onBehalf)) ? await work.get(accounts, who) : undefined
    if (!account || account.blocked || account.noReminders) return undefined
    const files = await filesOf(work, account.items)
    const owners = await Promise.all(files.map((file) => ownerOf({ work, vault }, file)))
    const unfinished = files.findLast((file, index) => isTheirTurn(file, who, owners[index]))
    if (!unfinished) return undefined
    const lastActivityAt = await lastActivity(account.activeAt ?? 0, files, who)
    const sent = lastActivityAt > since ? 0 : sentSince
    const due = reminderDue(config.reminderHours, { lastActivityAt, sent })
    if (due === undefined) return undefined
    const at = afterQuietHours(config.quietHours, Math.max(due, now()))
    const isDue = at <= now()
    if (isDue) postEvent(work, onBehalf, unfinished.s, { kind: 'remind' })
    const next = { onBehalf, since: lastActivityAt, sent: isDue ? sent + 1 : sent }
    return { retryAt: isDue ? now() : at, retryBody: next, countsAsRetry: false }
  })
}

/** What an account has opened, with the tests of its roadmaps. */
async function filesOf(work: UnitOfWork, items: readonly string[]): Promise<RecordFile[]> {
  const read = (s: string) => work.get(recordFiles, s)
  const withNested = async (s: string) => {
    const file = await read(s)
    const nested = await Promise.all((file?.roadmap?.records ?? []).map((record) => read(record.s)))
    return [file, ...nested].filter((each) => each !== undefined)
  }
  return (await Promise.all(items.map(withNested))).flat()
}

/** Whether it is this account's turn: of a roadmap only while something is left that nobody else can do. */
export function isTheirTurn(file: RecordFile, who: string, owner: string | undefined): boolean {
  const { roadmap, parent } = file
  if (parent) return false
  if (!roadmap || !isIn(file, 'board', 'failed'))
    return owner === who && isIn(file, 'profile', 'code', 'loading', 'questions')
  if (allFinished(roadmap)) return owner === who
  return roadmap.records.some(({ role, isFinished }) => !isFinished && mayAnswer(roadmap, role, who, owner))
}
