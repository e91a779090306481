import { Composer } from 'grammy'
import { askService } from '../dialog/ask-service.ts'
import { type IncomingContext, tappedMessage } from '../dialog/incoming.ts'
import { ITEMS_A_SCREEN, itemsOf, type Listing, MOST_CHUNKS } from '../dialog/listing.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { onButton } from '../participant/on-button.ts'
import { buttons } from '../views/buttons.ts'
import { listingView } from '../views/listing.ts'
import { keepListing, listingOf } from './organizer-state.ts'
import { MOST_LETTERS, newListing, pageCall, UUID } from './search.ts'

/** `/records` and `/roadmaps`, with their screens and filters. */
export function lists(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  composer.command('records', (incoming) => search(incoming.ctx, 'record', incoming.match.trim()))
  composer.command('roadmaps', (incoming) => search(incoming.ctx, 'roadmap', incoming.match.trim()))

  onButton(composer, buttons.list, (incoming, _, id, screen) =>
    change(incoming, id, (listing, messageId) => showScreen(incoming.ctx, listing, screen, messageId)),
  )
  onButton(composer, buttons.relist, (incoming, _, id) =>
    change(incoming, id, (listing, messageId) => checkAgain(incoming.ctx, listing, messageId)),
  )
  onButton(composer, buttons.filter, (incoming, _, id, which, wanted) =>
    change(incoming, id, (listing, messageId) =>
      narrow(
        incoming.ctx,
        { ...listing, [which]: wanted === 'any' ? undefined : wanted === 'true' },
        messageId,
      ),
    ),
  )
  onButton(composer, buttons.filterKind, (incoming, next, id, _, wanted) =>
    change(incoming, id, (listing, messageId) => {
      const kindId = wanted === 'any' ? undefined : listing.kinds[Number(wanted)]?.id
      if (kindId === undefined && wanted !== 'any') return next()
      return narrow(incoming.ctx, { ...listing, kindId }, messageId)
    }),
  )
  return composer
}

async function search(ctx: UpdateContext, kind: Listing['kind'], text: string): Promise<void> {
  if ([...text].length > MOST_LETTERS)
    return void (await ctx.send({ text: ctx.t('search-too-long', { letters: MOST_LETTERS }) }))
  if (UUID.test(text)) {
    const token = text.toLowerCase()
    return askService(ctx, { act: 'seek', kind, token }, { kind: 'find', token, first: kind })
  }
  await beginListing(ctx, newListing(kind, text))
}

/** Asks for the first page; the listing is kept from here on with its search. */
export async function beginListing(ctx: UpdateContext, listing: Listing): Promise<void> {
  await keepListing(ctx, listing)
  await askService(
    ctx,
    { act: 'page', listing: listing.id, version: listing.version, screen: 1 },
    pageCall(listing, 1),
  )
}

async function change(
  incoming: IncomingContext,
  id: string,
  act: (listing: Listing, messageId: number | undefined) => Promise<unknown>,
): Promise<void> {
  const listing = await listingOf(incoming.ctx, id)
  if (listing) await act(listing, tappedMessage(incoming))
  else await incoming.ctx.send({ text: incoming.ctx.t('list-gone', { command: '/records, /roadmaps' }) })
}

/** Shows a screen; where its items have not been looked at yet, the service is asked for the next page. */
export async function showScreen(
  ctx: UpdateContext,
  listing: Listing,
  wanted: number,
  messageId: number | undefined,
): Promise<void> {
  const items = itemsOf(listing)
  const next = listing.chunks.at(-1)?.next
  const isTooLong = next !== undefined && listing.chunks.length >= MOST_CHUNKS
  // Screens follow one another: there is no way to one beyond the page behind those that were looked at.
  const screen = Math.max(1, Math.min(wanted, Math.ceil((items.length + 1) / ITEMS_A_SCREEN)))
  if (next !== undefined && !isTooLong && screen * ITEMS_A_SCREEN > items.length)
    return askService(
      ctx,
      {
        act: 'page',
        listing: listing.id,
        version: listing.version,
        screen,
        ...(messageId !== undefined && { messageId }),
      },
      pageCall(listing, next),
    )
  await draw(ctx, { ...listing, screen: lastScreen(items.length, screen) }, isTooLong, messageId)
}

const lastScreen = (items: number, screen: number): number =>
  Math.max(1, Math.min(screen, Math.ceil(items / ITEMS_A_SCREEN)))

async function draw(
  ctx: UpdateContext,
  listing: Listing,
  isTooLong: boolean,
  messageId: number | undefined,
): Promise<void> {
  await keepListing(ctx, listing)
  const items = itemsOf(listing)
  const before = (listing.screen - 1) * ITEMS_A_SCREEN
  const shown = items.slice(before, before + ITEMS_A_SCREEN)
  const isMore = before + shown.length < items.length
  const view = listingView(ctx.t, {
    ...listing,
    before,
    items: shown,
    hasNext: isMore || (listing.chunks.at(-1)?.next !== undefined && !isTooLong),
    isTooLong: isTooLong && !isMore,
  })
  await ctx.show(messageId, view)
}

/** Another filter: everything that was looked at is another list. */
async function narrow(ctx: UpdateContext, listing: Listing, messageId: number | undefined): Promise<void> {
  const anew = { ...listing, version: listing.version + 1, chunks: [], screen: 1 }
  await keepListing(ctx, anew)
  const act = { act: 'page', listing: anew.id, version: anew.version, screen: 1, chunk: 0 } as const
  await askService(ctx, { ...act, ...(messageId !== undefined && { messageId }) }, pageCall(anew, 1))
}

/** Looks at the page of this screen once more. */
async function checkAgain(
  ctx: UpdateContext,
  listing: Listing,
  messageId: number | undefined,
): Promise<void> {
  const { id, version, screen, chunks } = listing
  let passed = 0
  const chunk = chunks.findIndex(({ items }) => {
    passed += items.length
    return passed > (screen - 1) * ITEMS_A_SCREEN
  })
  const at = Math.max(0, chunk)
  const act = { act: 'page', listing: id, version, screen, chunk: at } as const
  await askService(
    ctx,
    { ...act, ...(messageId !== undefined && { messageId }) },
    pageCall(listing, chunks[at]?.page ?? 1),
  )
}
