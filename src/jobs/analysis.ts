import { z } from 'zod'
import {
  ALONE_PAUSE_MS,
  AT_ONCE,
  afterPage,
  CHECK_PAUSE_MS,
  MOST_ALONE,
  NO_PASS,
  nextCheck,
} from '../domain/analysis-checks.ts'
import { backOffMs, HOUR_MS } from '../domain/durations.ts'
import { isIn } from '../domain/record/record.ts'
import { everyRecord } from '../domain/roadmap.ts'
import { traceOf } from '../observe/logger.ts'
import { type ChatEvent, type GenerationRefusal, postEvent } from '../queue/chat-message.ts'
import { currentFile, type Handler, handler, isCurrent, type JobEnd, job } from '../queue/job.ts'
import type { CallOptions, ServiceClient } from '../service/client.ts'
import { type Answered, outcomeOf } from '../service/errors.ts'
import { isFinished, type Roadmap } from '../service/wire.ts'
import {
  type KeptChecks,
  checks as kept,
  noChecks,
  onBehalfSchema,
  recordFiles,
  tokenIndex,
  tokenKey,
  type WatchedAnalysis,
} from '../storage/documents/kinds.ts'
import { readDocuments } from '../storage/documents.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { JobDeps } from './deps.ts'

/** The service calls that an analysis needs. */
type AnalysisService = Pick<ServiceClient, 'generate' | 'generationStatus' | 'roadmap'>

type Seen = Answered<Pick<Roadmap, 'is_finished' | 'status' | 'auth_required' | 'test_records'>>

/** How often the service may still show a record as unfinished that we know as finished. */
const UNFINISHED_TRIES = 12
/** The same if the service shows all records as finished: it is still scoring. */
const SCORING_TRIES = 60

const GENERATED: ChatEvent = { kind: 'generated' }
const refusal = (code: GenerationRefusal): ChatEvent => ({ kind: 'generation-refused', code })

/** The tries before, and the tokens of the tests that we know as finished. */
type Known = { tries: number; finished: readonly string[] }

/** Begins an analysis: then it is under way (`generating`), has ended, or has to be begun later. */
export async function beginAnalysis(
  service: AnalysisService,
  token: string,
  { tries, finished, trace, ...how }: Known & { trace: string } & Pick<CallOptions, 'isWanted'>,
): Promise<ChatEvent | 'later'> {
  const reply = await outcomeOf(service.generate(token, { trace, ...how }))
  if ('value' in reply) {
    const { status, estimated_wait_minutes: minutes } = reply.value
    if (status === 'completed') return GENERATED
    return { kind: 'generating', ...(minutes && { expectedMinutes: minutes }) }
  }
  const { code, status, reached } = reply.error
  if (code === 'billing') return refusal('billing')
  if (code === 'key_invalid') return refusal('key')
  if (code === 'not_found') return refusal('gone')
  if (status === 403) return whyForbidden(await outcomeOf(service.roadmap(token, { trace })))
  if (status === 409)
    return whyNotReady(await outcomeOf(service.roadmap(token, { trace })), { tries, finished })
  // A refusal that no waiting changes, and that names no reason.
  return reached === 'yes' && code === 'bad_request' ? refusal('gone') : 'later'
}

/** A 403, while the roadmap itself can be read, is about billing (spec, generate). */
function whyForbidden(roadmap: Seen): ChatEvent | 'later' {
  if ('value' in roadmap) return refusal('billing')
  return roadmap.error.status === 403 || roadmap.error.status === 401 ? refusal('key') : 'later'
}

/** A 409: the service still handles the last submission, for which we wait, or it has added a test. */
function whyNotReady(roadmap: Seen, { tries, finished }: Known): ChatEvent | 'later' {
  if ('error' in roadmap) return roadmap.error.code === 'not_found' ? refusal('gone') : 'later'
  if (isFinished(roadmap.value)) return GENERATED
  const { auth_required: lacksProfile, test_records: records } = roadmap.value
  const open = records.filter((record) => !isFinished(record))
  const most = open.length === 0 ? SCORING_TRIES : UNFINISHED_TRIES
  const isAdded = open.length > 0 && open.every(({ token }) => !finished.includes(token))
  return !lacksProfile && !isAdded && tries < most ? 'later' : refusal('unfinished')
}

/** How an analysis has ended; `undefined` while it is under way, or its state is unknown. */
export async function checkAnalysis(
  service: AnalysisService,
  token: string,
  trace: string,
): Promise<ChatEvent | undefined> {
  const how = { lane: 'background', trace, retries: false } as const
  const reply = await outcomeOf(service.generationStatus(token, how))
  if ('error' in reply && reply.error.reached === 'no') return undefined
  const { status, errors } = 'error' in reply ? { status: 'unknown', errors: [] } : reply.value
  if (status === 'completed') return GENERATED
  if (status === 'failed') return { kind: 'generation-failed', errors }
  if (status !== 'unknown') return undefined
  // Refused, or an unknown status: the roadmap shows whether it is finished, begun again or gone.
  const roadmap = await outcomeOf(service.roadmap(token, how))
  if ('error' in roadmap) return roadmap.error.code === 'not_found' ? refusal('gone') : undefined
  if (isFinished(roadmap.value)) return GENERATED
  const isLost = 'error' in reply && (reply.error.status === 404 || reply.error.status === 409)
  return isLost && roadmap.value.status !== 4 ? { kind: 'generation-failed', errors: [] } : undefined
}

/** One actor for all replicas, since it has one id: checks are made one at a time. */
const ALL = 'all'
export const checksJob = job('survey', z.object({}))

/** After this time its account and the organizers are notified once; the checks go on. */
const SLOW_AFTER_MS = HOUR_MS
/** In intervals of `pollMs`. */
const FIRST_CHECK_AFTER = 5

type Deps = Pick<JobDeps, 'store' | 'vault' | 'now'> & {
  service: AnalysisService & Pick<JobDeps['service'], 'listRoadmaps'>
  pollMs: number
}

const checksOf = async (work: UnitOfWork) => (await work.get(kept, ALL)) ?? work.put(kept, ALL, noChecks())

/** The checks as they are after a call: a conflict with other changes would repeat the call. */
async function checksNow(work: UnitOfWork) {
  await work.rereadGuarded(kept, ALL)
  return checksOf(work)
}

/** Adds an analysis that is under way to the checks, unless it is among them already. */
async function watchAnalysis(
  { now, pollMs }: Pick<Deps, 'now' | 'pollMs'>,
  work: UnitOfWork,
  s: string,
  { isFirst, ...watched }: Omit<WatchedAnalysis, 'at'> & { isFirst?: boolean | undefined },
): Promise<void> {
  const { alone } = await checksOf(work)
  if (isFirst || !alone[s]) alone[s] = { ...watched, at: now() + (isFirst ? FIRST_CHECK_AFTER : 1) * pollMs }
  checksJob.post(work, ALL, {}, { replace: true })
}

/** Takes an analysis out of the checks. */
async function leaveAnalysis(work: UnitOfWork, s: string): Promise<void> {
  delete (await work.get(kept, ALL))?.alone[s]
}

/** Checks all analyses under way: each alone or, while many wait, by the list of unfinished roadmaps. */
export function createChecksHandler(deps: Deps): Handler {
  const { now, pollMs } = deps
  return handler(checksJob, async ({ work }) => {
    const due = nextOf(await checksOf(work))
    if (!due) return undefined
    if (due.at > now()) return { retryAt: due.at }
    await (due.s === undefined ? checkList(deps, work) : checkAlone(deps, work, due.s))
    const checks = await checksOf(work)
    checks.freeAt = now() + CHECK_PAUSE_MS
    if (due.s !== undefined) checks.aloneAt = now() + ALONE_PAUSE_MS
    const next = nextOf(checks)
    return next && { retryAt: next.at }
  })

  function nextOf(checks: KeptChecks) {
    if (Object.keys(checks.alone).length <= MOST_ALONE) delete checks.list
    else checks.list ??= NO_PASS
    return nextCheck(checks, now(), pollMs)
  }
}

async function checkAlone(deps: Deps, work: UnitOfWork, s: string): Promise<void> {
  const { service, now, pollMs } = deps
  const known = (await checksOf(work)).alone[s]
  // A damaged file is left to the job that began the analysis.
  const [file] = await readDocuments(deps, recordFiles, [s])
  if (!known || !file) return leaveAnalysis(work, s)
  const { onBehalf, since } = known
  const end = await checkAnalysis(service, file.token, traceOf(onBehalf.who))
  const watched = (await checksNow(work)).alone[s]
  if (!watched) return
  if (end) {
    postEvent(work, onBehalf, s, end)
    return leaveAnalysis(work, s)
  }
  if (since !== undefined && now() - since > SLOW_AFTER_MS) {
    postEvent(work, onBehalf, s, { kind: 'generation-slow' })
    delete watched.since
  }
  watched.at = now() + pollMs
}

async function checkList(deps: Deps, work: UnitOfWork): Promise<void> {
  const { service, vault, now } = deps
  const { alone, list = NO_PASS } = await checksOf(work)
  const begun = { ...NO_PASS, page: 1, missing: Object.keys(alone), missed: list.missing, since: now() }
  const pass = list.page === 0 ? begun : list
  const query = { filter__is_finished: false, page: pass.page }
  const answer = await outcomeOf(service.listRoadmaps(query, { lane: 'background', retries: false }))
  const items = 'value' in answer ? answer.value.results.filter((item) => item !== null) : []
  const keys = items.map(({ token }) => tokenKey(vault, token.toLowerCase()))
  const indexed = await readDocuments(deps, tokenIndex, keys)
  const checks = await checksNow(work)
  // Without the list each analysis is still checked alone, though seldom.
  if ('error' in answer) {
    checks.list = { ...NO_PASS, since: pass.since }
    return
  }
  const known = items.flatMap((item, index) => (indexed[index]?.s ? [{ s: indexed[index].s, item }] : []))
  const after = afterPage(pass, answer.value, known)
  checks.list = after.pass
  for (const { s, is } of after.news) {
    const watched = checks.alone[s]
    if (watched && is === 'found') {
      postEvent(work, watched.onBehalf, s, { kind: 'generated' })
      delete checks.alone[s]
    } else if (watched) watched.at = AT_ONCE
  }
}

const generationBody = z.object({
  s: z.string(),
  onBehalf: onBehalfSchema,
  /**
   * `start` requests the analysis; then it is watched, in a separate step: all roadmaps share the checks, and
   * a conflict must not repeat the call. The other values are those of a former version for watching.
   */
  phase: z.enum(['start', 'watch', 'look', 'place', 'found', 'leave']),
  isFirst: z.boolean().optional(),
  tries: z.number().optional(),
  /** When the analysis was begun. */
  since: z.number().optional(),
})
type GenerationBody = z.infer<typeof generationBody>

/** The analysis of a roadmap. Keyed by record id. */
export const generationJob = job('generation', generationBody)

const BACK_OFF_MS = [2_000, 5_000, 10_000, 30_000, 60_000]
/** After these tries, more than an hour, the same notice is sent; then it is not sent again. */
const SLOW_AFTER_TRIES = 90
/** How often the job makes sure that its analysis is among the checks. */
const WATCH_MS = HOUR_MS

/** Requests an analysis and watches it; survives every restart, since it is a message like any other. */
export function createGenerationHandler(deps: Omit<Deps, 'service'> & { service: AnalysisService }): Handler {
  const { service, now } = deps

  return handler(generationJob, async ({ body, work, trace }): Promise<JobEnd<GenerationBody>> => {
    const { s, onBehalf, phase, since, isFirst, tries = 0 } = body
    const file = await currentFile(work, body)
    if (!file) {
      await leaveAnalysis(work, s)
      return undefined
    }
    const then = (retryAt: number, changes: Partial<GenerationBody>) => ({
      retryAt,
      retryBody: { s, onBehalf, phase, since, ...changes },
    })
    if (phase !== 'start') {
      if (!isIn(file, 'generating')) return undefined
      await watchAnalysis(deps, work, s, { onBehalf, since, isFirst })
      return then(now() + WATCH_MS, {})
    }
    // The call may wait long for the API budget.
    const isWanted = () => isCurrent(deps, onBehalf)
    const tests = file.roadmap ? everyRecord(file.roadmap) : []
    const finished = tests.filter((test) => test.isFinished).map(({ token }) => token)
    const event = await beginAnalysis(service, file.token, { tries, finished, trace, isWanted })
    if (event === 'later' && tries + 1 === SLOW_AFTER_TRIES)
      postEvent(work, onBehalf, s, { kind: 'generation-slow' })
    if (event === 'later') return then(now() + backOffMs(BACK_OFF_MS, tries + 1), { tries: tries + 1 })
    postEvent(work, onBehalf, s, event)
    if (event.kind !== 'generating') return undefined
    return then(now(), { phase: 'watch', isFirst: true, ...(tries < SLOW_AFTER_TRIES && { since: now() }) })
  })
}
