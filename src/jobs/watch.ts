import { DAY_MS, HOUR_MS, MINUTE_MS, OWED_DAYS } from '../domain/durations.ts'
import { accountsOf, isIn, isResultOwed, type RecordFile } from '../domain/record/record.ts'
import { isUnfinished, STUCK_MS } from '../domain/record/standing.ts'
import { type Next, nextDue } from '../domain/watch.ts'
import { postEvent } from '../queue/chat-message.ts'
import { currentFile, guardCurrent, type Handler, handler } from '../queue/job.ts'
import { outcomeOf } from '../service/errors.ts'
import { ownerOf, type Reading, readAttemptOf } from '../storage/documents/attempts.ts'
import { enrolments } from '../storage/documents/enrolments.ts'
import { accounts, owedResults, recordFiles, tokenIndex, tokenKey } from '../storage/documents/kinds.ts'
import { renewTerms } from '../storage/documents/questions.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import { type AnnounceDeps, announce } from './announce.ts'
import type { JobDeps, With } from './deps.ts'
import { type NoticeDeps, postNotice } from './notices.ts'
import { recount } from './stage-counts.ts'
import { isTurnOf, testsOf } from './turn.ts'
import { DELETED_AGAIN_MS, watchJobs } from './watch-jobs.ts'

type Deps = NoticeDeps &
  AnnounceDeps &
  Pick<JobDeps, 'service' | 'sender' | 'store' | 'vault' | 'now'> &
  With<'retentionDays' | 'reminderHours' | 'quietHours'>

/** After a start no reminder goes out for this time: updates that have waited at Telegram come first. */
const UPDATES_FIRST_MS = 2 * MINUTE_MS

/** Makes the handlers of the watches: each gathers what is known and does what is due. */
export const createWatchHandlers = (deps: Deps) => ({
  reminder: reminder(deps),
  stuck: record(deps),
  screen: screen(deps),
  opening: opening(deps),
  // Jobs of a former version: each starts the watch over the record again.
  expiry: handler(watchJobs.expiry, async ({ body, work }) => {
    watchJobs.record.post(work, body.s, body)
  }),
  timer: timer(deps),
})

/** Posts an event to its chat when it is due. Leftover messages are deleted for forgotten accounts, too. */
const timer = ({ sender, now }: Deps): Handler =>
  handler(watchJobs.timer, async ({ body: { s, onBehalf, event }, work }) => {
    if (event.kind === 'typed-old' && event.left) {
      const left = await sender.remove(onBehalf.chatId, event.left)
      return left.length > 0
        ? { retryAt: now() + DELETED_AGAIN_MS, retryBody: { s, onBehalf, event: { ...event, left } } }
        : undefined
    }
    if (await guardCurrent(work, onBehalf)) postEvent(work, onBehalf, s, event)
    return undefined
  })

function retryWith<B extends object>({ again }: Next, retryBody: B) {
  return again === undefined ? undefined : { retryAt: again, retryBody }
}

/** Reminds an account of what it has begun and not finished. */
function reminder(deps: Deps): Handler {
  const from = deps.now() + UPDATES_FIRST_MS
  return handler(watchJobs.reminder, async ({ body: { onBehalf, ...before }, work }) => {
    const { config, now } = deps
    const { who } = onBehalf
    const account = (await guardCurrent(work, onBehalf)) ? await work.get(accounts, who) : undefined
    if (!account || account.blocked || account.noReminders) return undefined
    const files = await filesOf(work, account.items)
    const turns = await Promise.all(files.map((file) => isTurnOf(work, file, who)))
    const unfinished = files.findLast((_, index) => turns[index])
    if (!unfinished) return undefined
    const attempts = await Promise.all(files.map(({ s }) => readAttemptOf(deps, { who, s })))
    // Neither answers nor a change of turn update the account.
    const answeredAt = attempts.map((attempt) => attempt?.lastActivityAt ?? 0)
    const lastActivityAt = Math.max(before.since, account.activeAt ?? 0, ...answeredAt)
    const sent = lastActivityAt > before.since ? 0 : before.sent
    const { reminderHours: hours, quietHours: quiet } = config
    const next = nextDue(
      { watch: 'reminder', hours, quiet, lastActivityAt, sent, hour: account.remindHour },
      now(),
    )
    if (next.due && now() < from) return { retryAt: from }
    if (next.due) postEvent(work, onBehalf, unfinished.s, { kind: 'remind' })
    // If several reminders have become due meanwhile, one is enough.
    const over = hours.filter((hour) => lastActivityAt + hour * HOUR_MS <= now()).length
    return retryWith(next, { onBehalf, since: lastActivityAt, sent: next.due ? over : sent })
  })
}

/** The files that an account has opened, with the tests of its roadmaps. */
async function filesOf(work: UnitOfWork, items: readonly string[]): Promise<RecordFile[]> {
  const withNested = async (s: string) => {
    const file = await work.get(recordFiles, s)
    return file ? [file, ...(await testsOf(work, file))] : []
  }
  return (await Promise.all(items.map(withNested))).flat()
}

/**
 * Notifies organizers of a test that was left unfinished for a day. Warns them, and reminds the participant,
 * before complete answers or an owed result are deleted. When unfinished answers have been deleted, the full
 * name is deleted, too (RETENTION_DAYS): a listed record needs none.
 */
const record = (deps: Deps): Handler =>
  handler(watchJobs.record, async ({ body, work }) => {
    const { config, now } = deps
    const { s, since } = body
    // A record that /forget deletes meanwhile needs no watch.
    const file = await work.guard(recordFiles, s)
    if (!file) return recountGone(work, body)
    const owner = await ownerOf(work, file)
    const attempt = await readAttemptOf(deps, { who: owner, s })
    const isComplete = attempt && attempt.answered === attempt.questions
    // Answers do not renew the term of the record and its questions.
    if (attempt) await renewTerms(deps, work, file, { at: attempt.lastActivityAt, now: now() })
    const isOwed = await isKeptResultOwed(work, file)
    if (!isOwed && !isComplete && isIn(file, 'scored', 'done', 'elsewhere')) return undefined
    const lastActivityAt = Math.max(since, attempt?.lastActivityAt ?? (await lastVisit(work, file, owner)))
    const isIdle = now() - lastActivityAt >= config.retentionDays * DAY_MS
    if (!isOwed && !attempt && (isIdle || isIn(file, 'questions'))) delete file.shownAs
    const keptSince = isOwed ? since : isComplete ? attempt.lastActivityAt : undefined
    const deletedAt = keptSince && keptSince + OWED_DAYS * DAY_MS
    const isLeft = await isLeftUnfinished(work, file)
    await noteStuck(deps, work, file, lastActivityAt)
    const known = { quiet: config.quietHours, lastActivityAt, isUnfinished: isLeft, deletedAt }
    const next = nextDue({ watch: 'record', ...body, ...known }, now())
    const { title } = file.test
    if (next.due === 'stuck') {
      await announce(deps, work, file, 'stuck', owner)
      await postNotice(deps, work, { key: 'notice-stuck', of: s, whose: file }, { title })
      return retryWith(next, { ...body, toldAt: lastActivityAt })
    }
    if (next.due !== 'warning' || deletedAt === undefined) return retryWith(next, body)
    const days = Math.max(1, Math.round((deletedAt - now()) / DAY_MS))
    const key = isOwed ? 'notice-result-expires' : 'notice-answers-expire'
    await postNotice(deps, work, { key, of: s, whose: file }, { title, days })
    const account = owner === undefined ? undefined : await work.get(accounts, owner)
    if (owner !== undefined && account && isIn(file, 'questions'))
      postEvent(work, { who: owner, chatId: account.chatId }, s, { kind: 'remind' })
    return retryWith(next, { ...body, warnedOf: deletedAt })
  })

/** Recounts a record that is no longer kept: the board shows it if it was begun recently. */
async function recountGone(work: UnitOfWork, { s, board }: { s: string; board?: string | undefined }) {
  const entry = board === undefined ? undefined : await work.get(enrolments, board)
  if (board !== undefined && entry?.s === s) await recount(work, board, entry)
  return undefined
}

/** Whether the participant does not go on. A begun test of a roadmap has a watch of its own. */
const isLeftUnfinished = async (work: UnitOfWork, file: RecordFile): Promise<boolean> =>
  isUnfinished(file) && !(await testsOf(work, file)).some(isUnfinished)

/**
 * Notes on the file that the board shows since when no participant has gone on with it. Each begun test of a
 * roadmap has a watch of its own; the roadmap is stuck when all of them are.
 */
async function noteStuck({ store, vault, now }: Deps, work: UnitOfWork, file: RecordFile, activeAt: number) {
  const whole = file.parent ? await work.get(recordFiles, file.parent.s) : file
  if (!whole) return
  let since = activeAt
  for (const test of await testsOf(work, whole)) {
    const who = await ownerOf(work, test)
    const attempt = await readAttemptOf({ store, vault }, { who, s: test.s })
    since = Math.max(since, attempt?.lastActivityAt ?? 0)
  }
  if (isUnfinished(whole) && now() - since >= STUCK_MS) whole.stuckAt = since
  else delete whole.stuckAt
}

/** When a participant was last active here; in a roadmap this may be any of them. */
export async function lastVisit(work: Reading, file: RecordFile, owner: string | undefined): Promise<number> {
  const visitors = await Promise.all(accountsOf(file, owner).map((who) => work.get(accounts, who)))
  return Math.max(0, ...visitors.map((account) => account?.activeAt ?? 0))
}

/** Whether a result is owed. What others are owed counts only while a part of it can still be sent. */
async function isKeptResultOwed(work: UnitOfWork, { s, state }: RecordFile): Promise<boolean> {
  if (!isResultOwed({ state })) return false
  return state.stage === 'scored' || ((await work.get(owedResults, s))?.parts.length ?? 0) > 0
}

/** Shows the current question again after an outage. It watches only while the participant answers. */
const screen = (deps: Deps): Handler =>
  handler(watchJobs.screen, async ({ body, work }) => {
    const { s, onBehalf, dueAt, noticedAt } = body
    const isCurrent = await guardCurrent(work, onBehalf)
    const attempt = isCurrent ? await readAttemptOf(deps, { who: onBehalf.who, s }) : undefined
    if (attempt?.state !== 'open') return undefined
    const { lastActivityAt } = attempt
    const next = nextDue({ watch: 'screen', dueAt, lastActivityAt, noticedAt }, deps.now())
    if (next.due) postEvent(work, onBehalf, s, { kind: 'redraw', isUnasked: true })
    const isNoticed = next.noticedAt !== undefined
    const awaited = { dueAt: isNoticed ? dueAt : (next.again ?? dueAt), noticedAt: next.noticedAt }
    return retryWith(next, { ...body, ...awaited })
  })

/** Checks a record or roadmap that waits for the organizer, and notifies the chat when it is opened. */
const opening = ({ service, config, now }: Deps): Handler =>
  handler(watchJobs.opening, async ({ body, work, trace }) => {
    const { s, onBehalf, waitMs, until } = body
    const file = await currentFile(work, body)
    if (!file || !isIn(file, 'waiting', 'intro')) return undefined
    const at = now()
    // No account has begun it: the file and its index are kept as long as it is checked.
    await work.touch(recordFiles, s)
    await work.touch(tokenIndex, tokenKey(work.vault, file.token))
    const next = nextDue({ watch: 'opening', quiet: config.quietHours, waitMs, until }, at)
    if (!next.due) return retryWith(next, body)
    // Another account that waited for it may have been faster.
    if (isIn(file, 'intro') || (await isOpened(service, file, trace))) {
      postEvent(work, onBehalf, s, { kind: 'opened' })
      return undefined
    }
    return retryWith(next, { ...body, waitMs: (next.again ?? at) - at })
  })

/** Whether it no longer waits, as far as the service tells. */
async function isOpened(service: Deps['service'], { token, roadmap }: RecordFile, trace: string) {
  const how = { lane: 'background', trace } as const
  const seen = await outcomeOf<{ status: number }>(
    roadmap ? service.roadmap(token, how) : service.record(token, how),
  )
  return 'value' in seen && seen.value.status !== 0
}
