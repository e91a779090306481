import { tokenIndex, watches } from '../kept/documents.ts'
import { tokenKey } from '../kept/keys.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import type { Analyst, ListPage } from './analyst.ts'
import { generationJob } from './generation.ts'
import { createLookPlaces, type Surveyed, surveyJob } from './look-places.ts'
import { type Handler, handler } from './task.ts'

type Item = ListPage['results'][number]

const ANALYSIS = 4
/** Between two surveys: page 0. */
const NONE: Surveyed = { page: 0, missing: [], missed: [], since: 0, seen: 0 }

/**
 * Looks at the list of what is not finished, page by page, while many analyses wait: what has left it is finished, and
 * what stands there but is not analysed any more is looked at alone. Places are taken in a step of their own (see
 * `generationJob`).
 */
export function createSurveyHandler(deps: {
  analyst: Analyst
  vault: Vault
  now: () => number
  pollMs: number
  random?: () => number
}): Handler {
  const { analyst, now, pollMs, random = Math.random } = deps
  const places = createLookPlaces({ ...deps, random })

  async function tell(work: UnitOfWork, s: string, news: 'found' | 'changed' | 'listed'): Promise<void> {
    const watch = await work.get(watches, s)
    if (!watch) return
    const next = news === 'found' ? { phase: 'found' as const } : { phase: 'place' as const }
    const body = { s, ...watch, ...next, ...(news === 'changed' && { isNow: true }) }
    generationJob.post(work, s, body, { replace: true })
  }

  /** Reads one page: which of those that wait it shows as analysed, and which as anything else. */
  async function read(
    work: UnitOfWork,
    items: readonly Item[],
    missing: readonly string[],
  ): Promise<string[]> {
    const shown = new Set<string>()
    for (const { token, status, is_finished } of items) {
      const s = (await work.get(tokenIndex, tokenKey(deps.vault, token.toLowerCase())))?.s
      if (s === undefined || !missing.includes(s)) continue
      shown.add(s)
      if (is_finished || status === 1) await tell(work, s, 'found')
      else if (status !== ANALYSIS) await tell(work, s, 'changed')
    }
    return missing.filter((s) => !shown.has(s))
  }

  return handler(surveyJob, async ({ body: { survey: known, isPlaced = false }, work }) => {
    const then = (next: Surveyed, isNextPlaced: boolean, retryAt = now()) => ({
      retryAt,
      retryBody: { survey: next, isPlaced: isNextPlaced },
      countsAsRetry: false,
    })
    const survey = known ?? NONE
    // Those that were there before make room for the list.
    if (!known) for (const s of (await places.crowd(work)) ?? []) await tell(work, s, 'listed')
    const { page, missing: left, missed, since } = survey
    const over = (unsure: string[]) => then({ ...NONE, since, missing: unsure }, false)
    if (!isPlaced) {
      const from = page > 0 || left.length > 0 ? now() : since + pollMs
      return then(survey, true, await places.takeForList(work, from))
    }
    if (page === 0) {
      const waiting = await places.crowd(work)
      if (waiting) return then({ ...NONE, page: 1, missing: waiting, missed: left, since: now() }, true)
      for (const s of await places.leaveList(work)) await tell(work, s, 'changed')
      return undefined
    }

    const answer = await analyst.list(page)
    if ('heldUntil' in answer) return then(survey, true, answer.heldUntil)
    // Each is looked at alone all the same, though seldom.
    if ('error' in answer) return over([])
    const { results, next, count } = answer.value
    const missing = await read(work, results, left)
    const seen = survey.seen + results.length
    const isSteady = page === 1 || survey.count === count
    if (next !== null && results.length > 0 && missing.length > 0)
      return then({ ...survey, page: page + 1, missing, count: isSteady ? count : undefined, seen }, false)
    // What a service that knows no filter leaves out proves nothing.
    const isAsked = results.every((item) => !item.is_finished)
    // Where the list has changed on the way, something may have slipped from one page to another unseen, but not twice.
    const isWhole = isSteady && seen === count
    const gone = missing.filter((s) => isWhole || missed.includes(s))
    for (const s of gone) await tell(work, s, isAsked ? 'found' : 'changed')
    return over(missing.filter((s) => !gone.includes(s)))
  })
}
