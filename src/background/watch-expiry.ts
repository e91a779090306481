import type { Config } from '../config.ts'
import { DAY_MS, OWED_DAYS } from '../domain/durations.ts'
import { afterQuietHours } from '../domain/reminding.ts'
import { openSitting } from '../domain/sitting.ts'
import type { Store } from '../store/store.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Texts } from '../texts/texts.ts'
import type { OnBehalf } from './actors.ts'
import { recordFiles, sittingKey } from './kinds.ts'
import { guardCurrent } from './on-behalf.ts'
import { owedResults } from './owed-result.ts'
import { postEvent } from './post-event.ts'
import { postNotice } from './send-notice.ts'
import type { JobHandler } from './worker.ts'

export type ExpiryJob = {
  s: string
  onBehalf: OnBehalf
  /** When the answers were complete, or the result was first owed. */
  since: number
}

const WARNED_DAYS_BEFORE = 14

const isLeft = async (work: UnitOfWork, s: string): Promise<boolean> =>
  ((await work.get(owedResults, s))?.parts.length ?? 0) > 0

/**
 * Warns the organizers, and recalls it to the participant, some days before complete answers that the service does
 * not have, or a result that nobody has received, are deleted (contract, RETENTION_DAYS).
 */
export function createExpiryHandler(deps: {
  store: Store
  config: Pick<Config, 'organizers' | 'locale' | 'quietHours'>
  texts: Texts
  now: () => number
}): JobHandler {
  const { store, config, now } = deps

  return async ({ body, work }) => {
    const { s, onBehalf, since } = body as ExpiryJob
    const file = (await guardCurrent(work, onBehalf)) ? await work.get(recordFiles, s) : undefined
    const [entry] = file ? await store.read([sittingKey(s)]) : []
    const sitting = entry && openSitting(entry.value)
    const isComplete = sitting !== undefined && sitting.answered === sitting.questions
    const isOwed = file?.stage === 'scored' || (file?.isOwed === true && (await isLeft(work, s)))
    if (!file || !(isOwed || isComplete)) return undefined
    const from = isOwed ? since : (sitting?.lastActivityAt ?? since)
    const warnAt = afterQuietHours(config.quietHours, from + (OWED_DAYS - WARNED_DAYS_BEFORE) * DAY_MS)
    // Looked at again after the warning: it was said.
    if (!isOwed && since >= warnAt) return undefined
    if (warnAt > now()) return { retryAt: warnAt, countsAsRetry: false }
    const days = Math.max(1, Math.round((from + OWED_DAYS * DAY_MS - now()) / DAY_MS))
    postNotice(deps, work, isOwed ? 'notice-result-expires' : 'notice-answers-expire', {
      title: file.test.title,
      days,
    })
    if (file.stage === 'questions') postEvent(work, onBehalf, s, { kind: 'remind' })
    return undefined
  }
}
