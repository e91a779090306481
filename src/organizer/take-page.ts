import { askService } from '../dialog/ask-service.ts'
import type { ListedItem, Listing } from '../dialog/listing.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { OrganizerAct } from '../domain/organizer-act.ts'
import type { OutcomeOf } from '../jobs/call-table.ts'
import type { RecordItem, RoadmapItem } from '../service/wire.ts'
import { showCard } from './card.ts'
import { showScreen } from './lists.ts'
import { keepListing, listingOf } from './organizer-state.ts'
import { isExact, nextPage } from './search.ts'
import { seenRecord, stateOf } from './seen.ts'

type Page = Extract<OutcomeOf<'listRecords' | 'listRoadmaps'>, { ok: true }>['value']

/** Takes a page of the service into the listing that asked for it; an exact hit shows its card. */
export async function takePage(
  ctx: UpdateContext,
  { listing: id, version, screen, chunk, messageId }: Extract<OrganizerAct, { act: 'page' }>,
  page: Page,
): Promise<void> {
  const listing = await listingOf(ctx, id)
  if (!listing) return void (await ctx.send({ text: ctx.t('list-gone', { command: '/records, /roadmaps' }) }))
  // Another filter was chosen meanwhile, and its own page is on the way.
  if (listing.version !== version) return
  const at = chunk ?? listing.chunks.length
  const before = listing.chunks.slice(0, at)
  const number = listing.chunks[at]?.page ?? before.at(-1)?.next ?? 1
  const results: readonly (RecordItem | RoadmapItem | null)[] = page.results
  const readable = results.filter((each) => each !== null)
  const items = readable.map((each) => itemOf(each))
  const next = nextPage(page.next)
  const grown: Listing = {
    ...listing,
    count: page.count,
    at: ctx.now,
    kinds: kindsOf(listing, page),
    // What stood behind a page that was looked at anew has moved.
    chunks: [...before, { page: number, items, ...(next !== undefined && next > number && { next }) }],
  }
  await keepListing(ctx, grown)
  const [only] = results
  if (only && results.length === 1 && number === 1 && isExact(listing) && messageId === undefined) {
    if ('test' in only) return showCard(ctx, seenRecord(only), undefined)
    const { token } = only
    return askService(ctx, { act: 'card', kind: 'roadmap', token }, { kind: 'find', token, first: 'roadmap' })
  }
  await showScreen(ctx, grown, screen, messageId)
}

function itemOf(item: RecordItem | RoadmapItem): ListedItem {
  const { token } = item
  const state = { token: token.toLowerCase(), ...stateOf(item) }
  if (!('test' in item)) return { ...state, title: item.display_title || item.roadmap_title || token }
  const { case_number, external_id, name } = item.profile ?? {}
  const person = name ?? case_number ?? (external_id == null ? undefined : String(external_id))
  return { ...state, title: item.test?.title || item.test?.id || token, ...(person != null && { person }) }
}

/** The tests or products that this listing has met so far, so that a filter does not hide the others. */
function kindsOf({ kinds }: Listing, page: Page): Listing['kinds'] {
  const met = 'roadmaps_filter' in page ? page.roadmaps_filter : page.results.map((item) => item?.test)
  const named = met.flatMap((each) => (each?.id ? [{ id: each.id, title: each.title || each.id }] : []))
  const all = [...kinds, ...named]
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index)
}
