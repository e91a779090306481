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
import { HOUR_MS } from '../domain/durations.ts'
import { traceOf } from '../observe/logger.ts'
import { postEvent } from '../queue/chat-message.ts'
import { type Handler, handler, job } from '../queue/job.ts'
import { answered } from '../service/errors.ts'
import {
  type KeptChecks,
  checks as kept,
  noChecks,
  recordFiles,
  tokenIndex,
  tokenKey,
  type WatchedAnalysis,
} from '../storage/documents/kinds.ts'
import { readDocuments } from '../storage/documents.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import { type AnalysisService, checkAnalysis } from './analysis.ts'
import type { JobDeps } from './deps.ts'

/** One actor for all replicas, since it has one id: looks are made one at a time. */
const ALL = 'all'
export const checksJob = job('survey', z.object({}))

/** An analysis that takes longer is told once, to who began it and to the organizers; it is looked at all the same. */
const SLOW_AFTER_MS = HOUR_MS
/** In intervals. */
const FIRST_LOOK_AFTER = 5

type Deps = Pick<JobDeps, 'store' | 'vault' | 'now'> & {
  service: AnalysisService & Pick<JobDeps['service'], 'listRoadmaps'>
  pollMs: number
}

const checksOf = async (work: UnitOfWork) => (await work.get(kept, ALL)) ?? work.put(kept, ALL, noChecks())

/** As they stand after a call, whatever was begun or forgotten meanwhile: a conflict would have the look made again. */
async function checksNow(work: UnitOfWork) {
  await work.guardAnew(kept, ALL)
  return checksOf(work)
}

/** Has an analysis that is under way looked at from now on, unless it is already. */
export async function watchAnalysis(
  { now, pollMs }: Pick<Deps, 'now' | 'pollMs'>,
  work: UnitOfWork,
  s: string,
  { isFirst, ...watched }: Omit<WatchedAnalysis, 'at'> & { isFirst?: boolean | undefined },
): Promise<void> {
  const { alone } = await checksOf(work)
  if (isFirst || !alone[s]) alone[s] = { ...watched, at: now() + (isFirst ? FIRST_LOOK_AFTER : 1) * pollMs }
  checksJob.post(work, ALL, {}, { replace: true })
}

/** Has it not looked at any more. */
export async function leaveAnalysis(work: UnitOfWork, s: string): Promise<void> {
  delete (await work.get(kept, ALL))?.alone[s]
}

/** Looks at all analyses that are under way, each alone or, while many wait, at the list of what is not finished. */
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
  const { service, store, vault, now, pollMs } = deps
  const known = (await checksOf(work)).alone[s]
  // What is harmed is left to the job that began the analysis.
  const [file] = await readDocuments(store, vault, recordFiles, [s])
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
  const { service, store, vault, now } = deps
  const { alone, list = NO_PASS } = await checksOf(work)
  const begun = { ...NO_PASS, page: 1, missing: Object.keys(alone), missed: list.missing, since: now() }
  const pass = list.page === 0 ? begun : list
  const query = { filter__is_finished: false, page: pass.page }
  const answer = await answered(service.listRoadmaps(query, { lane: 'background', retries: false }))
  const items = 'value' in answer ? answer.value.results.filter((item) => item !== null) : []
  const keys = items.map(({ token }) => tokenKey(vault, token.toLowerCase()))
  const indexed = await readDocuments(store, vault, tokenIndex, keys)
  const checks = await checksNow(work)
  // Where the list cannot be had each is looked at alone all the same, though seldom.
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
