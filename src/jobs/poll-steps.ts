import type { Poll } from '../domain/analysis-checks.ts'
import type { ServiceClient } from '../service/client.ts'

/** One page of the roadmaps that are not finished. */
export type ListPage = Awaited<ReturnType<ServiceClient['listRoadmaps']>>
type Item = NonNullable<ListPage['results'][number]>

/** What a survey has found out about a roadmap: it is analysed, or something else. */
type News = 'found' | 'changed'

const ANALYSIS = 4
/** Between two surveys: page 0. */
export const NO_POLL: Poll = { page: 0, missing: [], missed: [], since: 0, seen: 0 }

/**
 * What one page says of those that wait, and where the survey stands then. What has left the list is finished, and what
 * stands there but is not analysed any more is to be looked at alone. `known` are those items whose roadmap is ours.
 */
export function afterPage(
  poll: Poll,
  { results, next, count }: ListPage,
  known: readonly { s: string; item: Item }[],
): { news: { s: string; news: News }[]; poll: Poll } {
  const { page, missed, since } = poll
  const shown = known.filter(({ s }) => poll.missing.includes(s))
  const news = shown.flatMap(({ s, item }) => {
    const is = newsOf(item)
    return is ? [{ s, news: is }] : []
  })
  const missing = poll.missing.filter((s) => !shown.some((one) => one.s === s))
  const seen = poll.seen + results.length
  const isSteady = page === 1 || poll.count === count
  const isUnread = poll.isUnread || results.includes(null)
  if (next !== null && results.length > 0 && missing.length > 0) {
    const so = { page: page + 1, missing, count: isSteady ? count : undefined, seen, isUnread }
    return { news, poll: { ...poll, ...so } }
  }
  // Where the list has changed on the way, something may have slipped from one page to another unseen, but not twice.
  const isWhole = isSteady && seen === count
  const gone = missing.filter((s) => isWhole || missed.includes(s))
  // What a service that knows no filter leaves out proves nothing, and what stands there unreadable may be any of them.
  const isProof = !isUnread && results.every((item) => !item?.is_finished)
  const left = gone.map((s) => ({ s, news: isProof ? ('found' as const) : ('changed' as const) }))
  return {
    news: [...news, ...left],
    poll: over(
      since,
      missing.filter((s) => !gone.includes(s)),
    ),
  }
}

/** A survey that is over, and what it is unsure of. */
export const over = (since: number, missing: string[]): Poll => ({ ...NO_POLL, since, missing })

function newsOf({ is_finished, status }: Item): News | undefined {
  if (is_finished || status === 1) return 'found'
  return status === ANALYSIS ? undefined : 'changed'
}
