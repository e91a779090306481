import type { Config } from '../config.ts'
import type { RecordFile, RecordStage } from '../domain/record-file.ts'
import { afterQuietHours, reminderDue } from '../domain/reminding.ts'
import { allFinished, mayAnswer } from '../domain/roadmap.ts'
import { openSitting } from '../domain/sitting.ts'
import type { Store } from '../store/store.ts'
import type { OnBehalf } from './actors.ts'
import { accounts, recordFiles, sittingKey } from './kinds.ts'
import { guardCurrent } from './on-behalf.ts'
import { postEvent } from './post-event.ts'
import type { JobHandler } from './worker.ts'

export type ReminderJob = {
  onBehalf: OnBehalf
  /** How many reminders were sent since this activity. */
  sent: number
  since: number
}

const UNFINISHED: readonly RecordStage[] = ['profile', 'code', 'loading', 'questions']

/** Whether it is this account's turn: of a roadmap only while something is left that nobody else can do. */
function isTheirTurn({ stage, roadmap, parent, owner = '' }: RecordFile, who: string): boolean {
  if (parent) return false
  if (!roadmap || (stage !== 'board' && stage !== 'failed'))
    return owner === who && UNFINISHED.includes(stage)
  if (allFinished(roadmap)) return owner === who
  return roadmap.records.some(({ role, isFinished }) => !isFinished && mayAnswer(roadmap, role, who, owner))
}

/** Recalls what an account has begun and not finished, some hours after its last activity and never at night. */
export function createReminderHandler(deps: {
  store: Store
  config: Pick<Config, 'reminderHours' | 'quietHours'>
  now: () => number
}): JobHandler {
  const { store, config, now } = deps

  return async ({ body, work }) => {
    const { onBehalf, ...job } = body as ReminderJob
    const account = (await guardCurrent(work, onBehalf)) ? await work.get(accounts, onBehalf.who) : undefined
    if (!account || account.blocked || account.noReminders) return undefined
    const read = (s: string) => work.get(recordFiles, s)
    const withNested = async (s: string): Promise<RecordFile[]> => {
      const file = await read(s)
      const nested = await Promise.all((file?.roadmap?.records ?? []).map((record) => read(record.s)))
      return [file, ...nested].filter((each) => each?.roadmap || each?.owner === onBehalf.who) as RecordFile[]
    }
    const files = (await Promise.all(account.items.map(withNested))).flat()
    const unfinished = files.findLast((file) => isTheirTurn(file, onBehalf.who))
    if (!unfinished) return undefined
    const entries = await store.read(files.map(({ s }) => sittingKey(s)))
    const answeredAt = entries.map((entry) => (entry ? openSitting(entry.value).lastActivityAt : 0))
    const lastActivityAt = Math.max(account.activeAt ?? 0, ...answeredAt)
    const sent = lastActivityAt > job.since ? 0 : job.sent
    const due = reminderDue(config.reminderHours, { lastActivityAt, sent })
    if (due === undefined) return undefined
    const at = afterQuietHours(config.quietHours, Math.max(due, now()))
    const isDue = at <= now()
    if (isDue) postEvent(work, onBehalf, unfinished.s, { kind: 'remind' })
    const next: ReminderJob = { onBehalf, since: lastActivityAt, sent: isDue ? sent + 1 : sent }
    return { retryAt: isDue ? now() : at, retryBody: next, countsAsRetry: false }
  }
}
