import { z } from 'zod'

/** Where a pass through the list of roadmaps stands: the next page, and which roadmaps it has not shown yet. */
export const listPass = z.object({
  /** None between two passes. */
  page: z.number(),
  /** What waited when the pass began, and was not on the list so far; of one that is over, what it is unsure of. */
  missing: z.array(z.string()),
  /** What the pass before did not show either. */
  missed: z.array(z.string()),
  since: z.number(),
  /** Something on it could not be read. */
  isUnread: z.boolean().optional(),
})
export type ListPass = z.infer<typeof listPass>

/** The looks at analyses that are under way. */
export type Checks = {
  /** By record id, and when each is due: at `AT_ONCE` where the list has told of something. */
  alone: Readonly<Record<string, { at: number }>>
  /** While many wait the list is looked at, and one of them alone now and then, not before `aloneAt`. */
  list?: ListPass | undefined
  aloneAt?: number | undefined
  /** No look is made before. */
  freeAt: number
}

/** After a look has ended: never more than 20 of them in a minute. */
export const CHECK_PAUSE_MS = 3_000
/** While the list is looked at. */
export const ALONE_PAUSE_MS = 4 * CHECK_PAUSE_MS
/** Above this many that wait at once the list of all is looked at. */
export const MOST_ALONE = 20
export const AT_ONCE = 0
/** Between two passes. */
export const NO_PASS: ListPass = { page: 0, missing: [], missed: [], since: 0 }

/** What is looked at next, and when: one roadmap or, without `s`, a page of the list. */
export function nextCheck(
  { alone, list, aloneAt = 0, freeAt }: Checks,
  now: number,
  pollMs: number,
): { at: number; s?: string } | undefined {
  const [first] = Object.entries(alone).toSorted(([, one], [, other]) => one.at - other.at)
  if (!first) return undefined
  const from = Math.max(freeAt, now)
  const [s, { at }] = first
  if (!list) return { s, at: Math.max(at, from) }
  const one = { s, at: Math.max(at, from, at === AT_ONCE ? 0 : aloneAt) }
  // What it did not show is looked for again at once.
  const isUnderWay = list.page > 0 || list.missing.length > 0
  const page = { at: isUnderWay ? from : Math.max(from, list.since + pollMs) }
  return one.at <= page.at ? one : page
}

/** What a page shows of a roadmap. */
type Item = { is_finished: boolean | null; status: number | null }

/** What the list tells of a roadmap: it is analysed, or something else. */
type News = { s: string; is: 'found' | 'changed' }

const ANALYSIS = 4

/**
 * What one page says of those that wait, and where the pass stands then. What has left the list is finished, and what
 * stands there but is not analysed any more is to be looked at alone. `known` are those items whose roadmap is ours.
 */
export function afterPage(
  pass: ListPass,
  { results, next }: { results: readonly (Item | null)[]; next: unknown },
  known: readonly { s: string; item: Item }[],
): { news: News[]; pass: ListPass } {
  const shown = known.filter(({ s }) => pass.missing.includes(s))
  const news: News[] = shown.flatMap(({ s, item: { is_finished, status } }) => {
    if (is_finished || status === 1) return { s, is: 'found' as const }
    return status === ANALYSIS ? [] : { s, is: 'changed' as const }
  })
  const missing = pass.missing.filter((s) => !shown.some((one) => one.s === s))
  const isUnread = pass.isUnread || results.includes(null)
  if (next !== null && results.length > 0 && missing.length > 0)
    return { news, pass: { ...pass, page: pass.page + 1, missing, isUnread } }
  // While the list changes something may slip from one page to another unseen, but not twice.
  const gone = missing.filter((s) => pass.missed.includes(s))
  // What a service that knows no filter leaves out proves nothing, and what stands there unreadable may be any of them.
  const is = !isUnread && results.every((item) => !item?.is_finished) ? 'found' : 'changed'
  const unsure = missing.filter((s) => !gone.includes(s))
  return {
    news: [...news, ...gone.map((s): News => ({ s, is }))],
    pass: { ...NO_PASS, since: pass.since, missing: unsure },
  }
}
