import { z } from 'zod'
import { CHECK_PAUSE_MS, FEW, MOST_ALONE, makeRoom, nextAlone, nextCheck } from '../domain/analysis-checks.ts'
import { HOUR_MS } from '../domain/durations.ts'
import { traceOf } from '../observe/trace.ts'
import { postEvent } from '../queue/chat-message.ts'
import { job } from '../queue/job.ts'
import { type Handler, handler } from '../queue/task.ts'
import type { ServiceClient } from '../service/client.ts'
import { tokenKey } from '../storage/documents/keys.ts'
import {
  checks as kept,
  noChecks,
  recordFiles,
  tokenIndex,
  type WatchedAnalysis,
} from '../storage/documents/kinds.ts'
import { readDocuments } from '../storage/documents.ts'
import type { Store } from '../storage/store.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Vault } from '../storage/vault.ts'
import { type AnalysisService, checkAnalysis } from './analysis.ts'
import { answered } from './answered.ts'
import { afterPage, NO_POLL, over } from './poll-steps.ts'

/** One actor for all replicas, since it has one id: looks are made one at a time. */
const ALL = 'all'
export const checksJob = job('survey', z.object({}))

/** An analysis that takes longer is told once, to who began it and to the organizers; it is looked at all the same. */
const SLOW_AFTER_MS = HOUR_MS

type Deps = {
  service: AnalysisService & Pick<ServiceClient, 'listRoadmaps'>
  store: Store
  vault: Vault
  now: () => number
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
  const checks = await checksOf(work)
  if (isFirst || !checks.alone[s]) {
    if (!checks.list && Object.keys(checks.alone).length >= MOST_ALONE) {
      makeRoom(checks.alone)
      checks.list = { ...NO_POLL, at: now() }
    }
    checks.alone[s] = { ...watched, at: nextAlone(checks, { s, now: now(), pollMs, isFirst }) }
  }
  checksJob.post(work, ALL, {}, { replace: true })
}

/** Has it not looked at any more. */
export async function leaveAnalysis(work: UnitOfWork, s: string): Promise<void> {
  delete (await work.get(kept, ALL))?.alone[s]
}

/** Looks at all analyses that are under way, each alone or, while many wait, at the list of what is not finished. */
export function createChecksHandler(deps: Deps): Handler {
  const { now } = deps
  return handler(checksJob, async ({ work }) => {
    const due = nextCheck(await checksOf(work), now())
    if (!due) return undefined
    if (due.at > now()) return { retryAt: due.at }
    await (due.s === undefined ? checkList(deps, work) : checkAlone(deps, work, due.s))
    const checks = await checksOf(work)
    checks.freeAt = now() + CHECK_PAUSE_MS
    const next = nextCheck(checks, now())
    return next && { retryAt: next.at }
  })
}

async function checkAlone(deps: Deps, work: UnitOfWork, s: string): Promise<void> {
  const { service, store, vault, now, pollMs } = deps
  const known = (await checksOf(work)).alone[s]
  // What is harmed is left to the job that began the analysis.
  const [file] = await readDocuments(store, vault, recordFiles, [s])
  if (!known || !file) return leaveAnalysis(work, s)
  const { onBehalf, since } = known
  const end = await checkAnalysis(service, file.token, traceOf(onBehalf.who))
  const checks = await checksNow(work)
  const watched = checks.alone[s]
  if (!watched) return
  if (end) {
    postEvent(work, onBehalf, s, end)
    return leaveAnalysis(work, s)
  }
  if (since !== undefined && now() - since > SLOW_AFTER_MS) {
    postEvent(work, onBehalf, s, { kind: 'generation-slow' })
    delete watched.since
  }
  watched.at = nextAlone(checks, { s, now: now(), pollMs })
}

async function checkList(deps: Deps, work: UnitOfWork): Promise<void> {
  const { service, store, vault, now, pollMs } = deps
  const { alone, list = { ...NO_POLL, at: 0 } } = await checksOf(work)
  const waiting = Object.keys(alone)
  const begun = { ...NO_POLL, page: 1, missing: waiting, missed: list.missing, since: now() }
  const poll = list.page === 0 ? begun : list
  const query = { filter__is_finished: false, page: poll.page }
  const answer = await answered(service.listRoadmaps(query, { lane: 'background', retries: false }))
  const items = 'value' in answer ? answer.value.results.filter((item) => item !== null) : []
  const keys = items.map(({ token }) => tokenKey(vault, token.toLowerCase()))
  const indexed = await readDocuments(store, vault, tokenIndex, keys)
  const known = items.flatMap((item, index) => (indexed[index]?.s ? [{ s: indexed[index].s, item }] : []))
  // Where the list cannot be had each is looked at alone all the same, though seldom.
  const { news, poll: after } =
    'error' in answer ? { news: [], poll: over(poll.since, []) } : afterPage(poll, answer.value, known)
  const checks = await checksNow(work)
  for (const { s, news: is } of news) {
    const watched = checks.alone[s]
    if (!watched) continue
    if (is === 'found') {
      postEvent(work, watched.onBehalf, s, { kind: 'generated' })
      delete checks.alone[s]
    } else watched.at = now()
  }
  const isUnderWay = after.page > 0 || after.missing.length > 0
  checks.list = { ...after, at: isUnderWay ? now() : after.since + pollMs }
  if (after.page > 0 || Object.keys(checks.alone).length > FEW) return
  delete checks.list
  for (const watched of Object.values(checks.alone)) watched.at = now()
}
