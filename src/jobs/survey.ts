import { tokenIndex, watches } from '../kept/documents.ts'
import { tokenKey } from '../kept/keys.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import type { Analyst, ListPage } from './analyst.ts'
import { generationJob } from './generation.ts'
import { createListPlaces, type Surveyed, surveyJob } from './look-places.ts'
import { afterPage, type News, NO_SURVEY, over } from './survey-steps.ts'
import { type Handler, handler } from './task.ts'

/**
 * Looks at the list of what is not finished, page by page, while many analyses wait. Places are taken in a step of
 * their own (see `generationJob`).
 */
export function createSurveyHandler(deps: {
  analyst: Analyst
  vault: Vault
  now: () => number
  pollMs: number
}): Handler {
  const { analyst, vault, now, pollMs } = deps
  const places = createListPlaces({ now })
  const then = (survey: Surveyed, isPlaced: boolean, retryAt = now()) => ({
    retryAt,
    retryBody: { survey, isPlaced },
    countsAsRetry: false,
  })

  /** Before the first page: everything that waits is missing, where it is still so much. */
  async function begin(work: UnitOfWork, { missing: missed }: Surveyed) {
    const waiting = await places.crowd(work)
    if (waiting) return then({ ...NO_SURVEY, page: 1, missing: waiting, missed, since: now() }, true)
    for (const s of await places.leave(work)) await tell(work, s, 'changed')
    return undefined
  }

  return handler(surveyJob, async ({ body: { survey: known, isPlaced = false }, work }) => {
    const survey = known ?? NO_SURVEY
    // Those that were there before make room for the list.
    if (!known) for (const s of (await places.crowd(work)) ?? []) await tell(work, s, 'listed')
    const { page, missing, since } = survey
    if (!isPlaced) {
      const from = page > 0 || missing.length > 0 ? now() : since + pollMs
      return then(survey, true, await places.take(work, from))
    }
    if (page === 0) return begin(work, survey)

    const answer = await analyst.list(page)
    if ('heldUntil' in answer) return then(survey, true, answer.heldUntil)
    // Each is looked at alone all the same, though seldom.
    if ('error' in answer) return then(over(since, []), false)
    const after = afterPage(survey, answer.value, await itemsOfOurs(vault, work, answer.value))
    for (const { s, news } of after.news) await tell(work, s, news)
    return then(after.survey, false)
  })
}

async function tell(work: UnitOfWork, s: string, news: News): Promise<void> {
  const watch = await work.get(watches, s)
  if (!watch) return
  const next = news === 'found' ? { phase: 'found' as const } : { phase: 'place' as const }
  const body = { s, ...watch, ...next, ...(news === 'changed' && { isNow: true }) }
  generationJob.post(work, s, body, { replace: true })
}

async function itemsOfOurs(vault: Vault, work: UnitOfWork, { results }: ListPage) {
  const known = []
  for (const item of results.filter((each) => each !== null)) {
    const s = (await work.get(tokenIndex, tokenKey(vault, item.token.toLowerCase())))?.s
    if (s !== undefined) known.push({ s, item })
  }
  return known
}
