import { z } from 'zod'
import { MINUTE_MS } from '../domain/durations.ts'
import type { RecordFile } from '../domain/record/record.ts'
import { STUCK_MS } from '../domain/record/standing.ts'
import { chatEvent } from '../queue/chat-message.ts'
import { job } from '../queue/job.ts'
import { type OnBehalf, onBehalfSchema, tokenKey } from '../storage/documents/kinds.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import { generationJob } from './analysis.ts'
import { resultJob } from './deliver-result.ts'
import { submitJob } from './submit-answers.ts'

const ofRecord = z.object({ s: z.string(), onBehalf: onBehalfSchema })

/** The watches; `domain/watch.ts` says when each is due. Their kinds in the queue are from older versions. */
export const watchJobs = {
  /** `sent`: the reminders since the activity at `since`. Keyed by account. */
  reminder: job('reminder', z.object({ onBehalf: onBehalfSchema, sent: z.number(), since: z.number() })),
  /** A record or roadmap. Keyed by record id; `since`: when it was begun, or its result last requested. */
  record: job(
    'stuck',
    z.object({
      s: z.string(),
      /** The keyed hash of its token, unless it is the test of a roadmap. */
      board: z.string().optional(),
      since: z.number(),
      toldAt: z.number().optional(),
      warnedOf: z.number().optional(),
    }),
  ),
  /** Keyed by record id. */
  screen: job('screen', ofRecord.extend({ dueAt: z.number(), noticedAt: z.number().optional() })),
  /** What a former version watched beside the record. */
  expiry: job('expiry', z.object({ s: z.string(), since: z.number() })),
  /** Keyed by record id and account. */
  opening: job('opening', ofRecord.extend({ waitMs: z.number(), until: z.number() })),
  /** Keyed by record id, or by one of `timerIds`. */
  timer: job('timer', ofRecord.extend({ event: chatEvent })),
}

/** Watches a record or roadmap from now on: it is begun, or its result is owed. */
export function watchRecord(
  { work, now }: { work: UnitOfWork; now: number },
  { s, token, parent }: RecordFile,
): void {
  const board = parent ? undefined : tokenKey(work.vault, token)
  watchJobs.record.post(work, s, { s, board, since: now }, { dueAt: now + STUCK_MS, replace: true })
}

/** The ids of timers that are not about a code. */
export const timerIds = {
  typed: (s: string) => `${s}:typed`,
  report: (s: string) => `${s}:report`,
  screen: (s: string) => `${s}:screen`,
  lines: (who: string) => `lines:${who}`,
  left: (who: string) => `left:${who}`,
  nudge: (s: string, who: string) => `nudge:${s}:${who}`,
}

/** The pause before messages that Telegram has not deleted are deleted again. */
export const DELETED_AGAIN_MS = 5 * MINUTE_MS

const NOW = { replace: true }

/**
 * Ends the watches for a forgotten account and over what it has opened: each is due now, finds the account
 * forgotten, and ends.
 */
export function endWatches(work: UnitOfWork, onBehalf: OnBehalf, opened: Iterable<string>): void {
  const { who } = onBehalf
  watchJobs.reminder.post(work, who, { onBehalf, since: 0, sent: 0 }, NOW)
  watchJobs.timer.post(work, timerIds.lines(who), { s: who, onBehalf, event: { kind: 'lines' } }, NOW)
  for (const s of opened) endOpening(work, onBehalf, s)
}

/** Ends the opening watch of this account over a test: it is due now, its time is over, and it ends. */
export const endOpening = (work: UnitOfWork, onBehalf: OnBehalf, s: string): void =>
  watchJobs.opening.post(work, `${s}:${onBehalf.who}`, { s, onBehalf, waitMs: 0, until: 0 }, NOW)

/** Ends the watches over a record or roadmap of a forgotten account; while others go on with it they stay. */
export function endWatchesOver(work: UnitOfWork, onBehalf: OnBehalf, s: string, now: number): void {
  const of = { s, onBehalf }
  watchJobs.record.post(work, s, { s, since: now }, NOW)
  watchJobs.screen.post(work, s, { ...of, dueAt: now }, NOW)
  generationJob.post(work, s, { ...of, phase: 'watch' }, NOW)
  // Jobs that wait for a retry name the chat, so they are replaced.
  for (const { post } of [submitJob, resultJob]) post(work, s, of, NOW)
  for (const id of [s, timerIds.typed(s), timerIds.report(s)])
    watchJobs.timer.post(work, id, { ...of, event: { kind: 'typed-old' } }, NOW)
}
