import { z } from 'zod'

/** The progress of a pass through the list of roadmaps: the next page, and the roadmaps not seen yet. */
export const listPass = z.object({
  /** 0 between two passes. */
  page: z.number(),
  /** Roadmaps that waited when the pass began and were not seen on it. After the pass: the uncertain ones. */
  missing: z.array(z.string()),
  /** Roadmaps that the previous pass did not show either. */
  missed: z.array(z.string()),
  since: z.number(),
  /** An item of the list was unreadable. */
  isUnread: z.boolean().optional(),
})
export type ListPass = z.infer<typeof listPass>

/** The status checks of running analyses. */
export type Checks = {
  /** When the check of each roadmap is due, by record id: `AT_ONCE` where the list has shown news. */
  alone: Readonly<Record<string, { at: number }>>
  /** While many analyses run, the list is checked; a single one only now and then, not before `aloneAt`. */
  list?: ListPass | undefined
  aloneAt?: number | undefined
  /** No check is made before this time. */
  freeAt: number
}

/** The pause after a check, so that at most 20 checks are made in a minute. */
export const CHECK_PAUSE_MS = 3_000
/** The pause between single checks while the list is checked. */
export const ALONE_PAUSE_MS = 4 * CHECK_PAUSE_MS
/** Above this number of running analyses the list is checked. */
export const MOST_ALONE = 20
export const AT_ONCE = 0
/** The state between two passes. */
export const NO_PASS: ListPass = { page: 0, missing: [], missed: [], since: 0 }

/** The next check and its time: one roadmap or, without `s`, a page of the list. */
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
  // Roadmaps that the pass did not show are looked for again at once.
  const isUnderWay = list.page > 0 || list.missing.length > 0
  const page = { at: isUnderWay ? from : Math.max(from, list.since + pollMs) }
  return one.at <= page.at ? one : page
}

/** One roadmap on a page of the list. */
type Item = { is_finished: boolean | null; status: number | null }

/** News of a roadmap from the list: it is analysed (`found`), or it has another status (`changed`). */
type News = { s: string; is: 'found' | 'changed' }

const ANALYSIS = 4

/**
 * Applies one page to a pass. A roadmap that has left the list is finished. One that is listed but no longer
 * being analysed is checked alone. `known`: the items whose roadmap belongs to this bot.
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
  // While the list changes, a roadmap may slip from one page to another unseen, but not twice.
  const gone = missing.filter((s) => pass.missed.includes(s))
  // Absence proves nothing if the service ignores the filter or if an unreadable item may be that roadmap.
  const is = !isUnread && results.every((item) => !item?.is_finished) ? 'found' : 'changed'
  const unsure = missing.filter((s) => !gone.includes(s))
  return {
    news: [...news, ...gone.map((s): News => ({ s, is }))],
    pass: { ...NO_PASS, since: pass.since, missing: unsure },
  }
}
