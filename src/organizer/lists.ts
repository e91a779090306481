import type { Composer } from 'grammy'
import { readStanding } from '../dialog/attempt.ts'
import { type IncomingContext, onButton, tappedMessage } from '../dialog/incoming.ts'
import { askForOne } from '../dialog/organizer.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import type { OrganizerAct } from '../domain/account.ts'
import { clean } from '../domain/persian/clean.ts'
import { personOf } from '../domain/record/names.ts'
import type { OutcomeOf } from '../jobs/call-table.ts'
import { invitationsOf } from '../jobs/invite.ts'
import { type RecordItem, type RoadmapItem, titleOf } from '../service/wire.ts'
import { groupsOf } from '../storage/documents/groups.ts'
import { fileOfToken } from '../storage/documents/kinds.ts'
import type { ListedItem, Listing } from '../storage/documents/organizer-state.ts'
import { buttons } from '../views/buttons.ts'
import { groupName, groupsView } from '../views/groups.ts'
import { filtersView, type ListedRow, listingView } from '../views/listing.ts'
import { screenOf } from '../views/view.ts'
import { showCard } from './card.ts'
import {
  askForBoth,
  askForPage,
  filesOf,
  flaggedFirst,
  flaggedIn,
  ITEMS_A_SCREEN,
  keepListing,
  listingOf,
  newListing,
  sendGone,
  UUID,
} from './kept-listings.ts'
import { type SeenTarget, seenIn, seenRecord, stateOf } from './seen.ts'

/** A longer text does not fit in an address. */
const MOST_LETTERS = 200
/** This many pages of one listing are kept. An organizer who needs more has to search. */
const MOST_CHUNKS = 40

/** `/records` and `/roadmaps`, with their screens and filters. */
export function lists(composer: Composer<IncomingContext>): void {
  composer.command('records', (incoming) => search(incoming.ctx, incoming.match, 'record'))
  composer.command('roadmaps', (incoming) => search(incoming.ctx, incoming.match, 'roadmap'))

  onButton(composer, buttons.list, ofListing(showScreen))
  onButton(composer, buttons.relist, ofListing(narrow))
  onButton(
    composer,
    buttons.filters,
    ofListing(async ({ ctx, listing, messageId }, page?: number) => {
      const groups = page === undefined ? undefined : await groupsOf(ctx.work)
      const view = groups ? groupsView(ctx.t, groups, page ?? 1, listing) : filtersView(ctx.t, listing)
      await ctx.show(messageId, view)
    }),
  )
  onButton(composer, buttons.filter, ofListing(filter))
  onButton(composer, buttons.filterKind, ofListing(filterKind))
  onButton(composer, buttons.filterGroup, ofListing(filterGroup))
}

/** A listing, and the message that shows it. `next`: for a button of it that no longer means anything. */
type Shown = { ctx: UpdateContext; listing: Listing; messageId: number | undefined }
type Tap = Shown & { next: () => Promise<void> }

/** Handles a tap on a listing that is still kept. */
const ofListing =
  <A extends readonly unknown[]>(handle: (tap: Tap, ...args: A) => Promise<void>) =>
  async (incoming: IncomingContext, next: () => Promise<void>, id: string, ...args: A) => {
    const { ctx } = incoming
    const listing = await listingOf(ctx, id)
    if (!listing) return sendGone(ctx)
    await handle({ ctx, listing, messageId: tappedMessage(incoming), next }, ...args)
  }

/** Searches for what an organizer has typed; without a command, in records and roadmaps. */
export async function search(ctx: UpdateContext, typed: string, only?: Listing['kind']): Promise<void> {
  const text = clean(typed)
  if ([...text].length > MOST_LETTERS) return sendText(ctx, 'search-too-long', { letters: MOST_LETTERS })
  const kind = only ?? 'record'
  if (UUID.test(text)) return askForOne(ctx, { act: 'seek', kind, token: text.toLowerCase() })
  if (!only) return askForBoth(ctx, text)
  // From here on the listing is kept with its search.
  const listing = newListing(only, text)
  await keepListing(ctx, listing)
  await askForPage(ctx, listing, { page: 1, screen: 1 })
}

type Both = Extract<OutcomeOf<'search'>, { ok: true }>['value']

/** Shows the results of a search: the card of a single one, or a list of each kind. */
export async function takeBoth(ctx: UpdateContext, text: string, { records, roadmaps }: Both): Promise<void> {
  const [record, roadmap] = [records.results[0], roadmaps.results[0]]
  if (records.count + roadmaps.count === 0) return sendText(ctx, 'search-none', { text })
  const only = record ?? roadmap
  if (records.count + roadmaps.count === 1 && only) return showOnly(ctx, only)
  for (const [kind, page] of [['record', records] as const, ['roadmap', roadmaps] as const]) {
    if (page.count === 0) continue
    const listing = newListing(kind, text)
    await keepListing(ctx, listing)
    await takePage(ctx, { act: 'page', listing: listing.id, version: listing.version, screen: 1 }, page)
  }
}

/** Shows the card of the only result. For a roadmap the list tells too little, so the service is asked. */
async function showOnly(ctx: UpdateContext, only: RecordItem | RoadmapItem): Promise<void> {
  if ('test' in only) return showCard(ctx, seenRecord(only))
  await askForOne(ctx, { act: 'card', kind: 'roadmap', token: only.token })
}

/** Shows a screen. If its items are not loaded yet, the service is asked for the next page. */
async function showScreen({ ctx, listing: given, messageId }: Shown, wanted: number): Promise<void> {
  const items = given.chunks.flatMap((chunk) => chunk.items)
  const next = given.chunks.length === 0 ? 1 : given.chunks.at(-1)?.next
  const isFull = next !== undefined && given.chunks.length >= MOST_CHUNKS
  // Screens follow one another: none of them is beyond the page behind those that are loaded.
  const { screen } = screenOf(items.length + 1, ITEMS_A_SCREEN, wanted)
  if (next !== undefined && !isFull && screen * ITEMS_A_SCREEN > items.length)
    return askForPage(ctx, given, { page: next, screen, messageId })
  const { screen: last, before } = screenOf(items.length, ITEMS_A_SCREEN, screen)
  const listing = { ...given, screen: last }
  await keepListing(ctx, listing)
  const shown = items.slice(before, before + ITEMS_A_SCREEN)
  const isMore = before + shown.length < items.length
  const view = listingView(ctx.t, {
    ...listing,
    before,
    items: await rowsOf(ctx, shown),
    hasNext: isMore || (next !== undefined && !isFull),
    isTooLong: isFull && !isMore,
  })
  await ctx.show(messageId, view)
}

/** The items with their people and, if they were begun here, with their standing. */
async function rowsOf(ctx: UpdateContext, items: readonly ListedItem[]): Promise<ListedRow[]> {
  const rows: ListedRow[] = []
  for (const item of items) {
    const file = await fileOfToken(ctx.work, item.token)
    const isHere = file?.isBegun === true && !item.isFinished
    const known = file?.isBegun ? (file.shownAs ?? personOf(file)) : undefined
    const person = item.person ?? known ?? (await invitedId(ctx, item))
    rows.push({
      ...item,
      person,
      isFlagged: file?.isFlagged === true,
      ...(isHere && { standing: await readStanding(ctx, file) }),
    })
  }
  return rows
}

/** The organizer's own id from the invitation, while the name is unknown. */
async function invitedId({ work }: UpdateContext, { token, isFinished }: ListedItem) {
  const [newest] = isFinished ? [] : await invitationsOf(work, token)
  return newest?.externalId === undefined ? undefined : `#${newest.externalId}`
}

const filter = (tap: Tap, which: 'finished' | 'male', wanted: string): Promise<void> =>
  narrow(tap, { [which]: wanted === 'any' ? undefined : wanted === 'true' })

function filterKind(tap: Tap, _: string, wanted: string): Promise<void> {
  const kindId = wanted === 'any' ? undefined : tap.listing.kinds[Number(wanted)]?.id
  return kindId === undefined && wanted !== 'any' ? tap.next() : narrow(tap, { kindId })
}

/** A group replaces the search and the service's own filters. Who has finished in it is known here. */
async function filterGroup(tap: Tap, _: string, wanted: string): Promise<void> {
  const { ctx } = tap
  if (wanted === 'any') return narrow(tap, { group: undefined })
  const group = (await groupsOf(ctx.work)).find(({ id }) => id === wanted)
  if (!group) return sendText(ctx, 'group-gone')
  const unset = { text: '', externalId: undefined, profile: undefined, male: undefined, kindId: undefined }
  await narrow(tap, { ...unset, group: { id: group.id, name: groupName(ctx.t, group) } })
}

/** Another filter makes another list, so all loaded pages are dropped; so does a look at the same list again. */
async function narrow({ ctx, listing, messageId }: Shown, filters?: Partial<Listing>): Promise<void> {
  const narrowed = { ...listing, ...filters, version: listing.version + 1, chunks: [], screen: 1 }
  await keepListing(ctx, narrowed)
  await askForPage(ctx, narrowed, { page: 1, screen: 1, messageId })
}

type PageAct = Extract<OrganizerAct, { act: 'page' }>
type Page = Extract<OutcomeOf<'listRecords' | 'listRoadmaps' | 'findSome'>, { ok: true }>['value']

/** Adds a page of the service to the listing that asked for it. A single hit of a search is shown as its card. */
export async function takePage(
  ctx: UpdateContext,
  { listing: id, version, screen, count: all, messageId }: PageAct,
  page: Page,
): Promise<void> {
  const listing = await listingOf(ctx, id)
  if (!listing) return sendGone(ctx)
  // Another filter was chosen meanwhile, and its own page is on the way.
  if (listing.version !== version) return
  const { chunks: before } = listing
  const number = before.at(-1)?.next ?? 1
  const { count, next, items, kinds, only } = await readPage(ctx, listing, page, { number, all, before })
  const grown: Listing = {
    ...listing,
    count,
    at: ctx.now,
    kinds,
    chunks: [...before, { page: number, items, ...(next !== undefined && next > number && { next }) }],
  }
  await keepListing(ctx, grown)
  if (only && number === 1 && listing.text !== '' && messageId === undefined) return showOnly(ctx, only)
  await showScreen({ ctx, listing: grown, messageId }, screen)
}

/** The service no longer has the page: the list ends with what is loaded. */
export async function takeGone(ctx: UpdateContext, { listing: id, version, screen, messageId }: PageAct) {
  const listing = await listingOf(ctx, id)
  // Another filter was chosen meanwhile, whose list is shown now.
  if (listing && listing.version !== version) return
  const last = listing?.chunks.at(-1)
  if (!listing || !last) return sendGone(ctx)
  delete last.next
  await showScreen({ ctx, listing, messageId }, screen)
  await sendText(ctx, 'list-rest-gone')
}

/** The items that a page adds to a listing, those first whose validity card needs attention. */
async function readPage(
  ctx: UpdateContext,
  listing: Listing,
  page: Page,
  { number, all: count = 0, before }: { number: number; all: number | undefined; before: Listing['chunks'] },
) {
  if ('results' in page) {
    const results: readonly (RecordItem | RoadmapItem | null)[] = page.results
    const flagged = number === 1 ? await flaggedIn(ctx, listing) : []
    const above = [...before.flatMap(({ items }) => items), ...flagged].map(({ token }) => token)
    const found = [
      ...flagged,
      ...results
        .flatMap((each) => (each === null ? [] : [itemOf(each)]))
        .filter(({ token }) => !above.includes(token)),
    ]
    const kept = await filesOf(
      ctx.deps,
      found.map(({ token }) => token),
    )
    const items = flaggedFirst(found.map((item, index) => ({ ...item, file: kept[index]?.file })))
    return {
      count: page.count,
      next: nextPage(page.next),
      items: items.map(({ file: _, ...item }) => item),
      kinds: kindsOf(listing, page),
      only: results.length === 1 ? results[0] : undefined,
    }
  }
  const items = page.flatMap((found) => {
    const seen = seenIn(found)
    return seen ? [listed(seen)] : []
  })
  const next = number * ITEMS_A_SCREEN < count ? number + 1 : undefined
  return { count, next, items, kinds: listing.kinds, only: undefined }
}

/** An item with its participant, as the service names them. */
function listed(seen: SeenTarget): ListedItem {
  const { token, title, kind, status, isFinished, needsProfile } = seen
  const { name, case_number, external_id: id } = (seen.kind === 'record' && seen.profile) || {}
  const person = name ?? case_number ?? (id == null ? undefined : String(id))
  return { token, title, kind, status, isFinished, needsProfile, ...(person !== undefined && { person }) }
}

function itemOf(item: RecordItem | RoadmapItem): ListedItem {
  if ('test' in item) return listed(seenRecord(item))
  const { token } = item
  return { token: token.toLowerCase(), title: titleOf(item) || token, ...stateOf(item) }
}

/** The tests or products that this listing has met so far, so that a filter does not hide the others. */
function kindsOf({ kinds }: Listing, page: Extract<Page, { results: unknown }>): Listing['kinds'] {
  const met = 'roadmaps_filter' in page ? page.roadmaps_filter : page.results.map((item) => item?.test)
  const named = met.flatMap((each) => (each?.id ? [{ id: each.id, title: each.title || each.id }] : []))
  const all = [...kinds, ...named]
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index)
}

/** The number of the next page in the service's address of it. The rest of the address is not used. */
function nextPage(next: string | null): number | undefined {
  const page = /[?&]page=(\d{1,9})(?:&|#|$)/.exec(next ?? '')?.[1]
  return page === undefined ? undefined : Number(page)
}
