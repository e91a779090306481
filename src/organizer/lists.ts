import { Composer } from 'grammy'
import { askService } from '../dialog/ask-service.ts'
import { type TurnContext, tappedMessage } from '../dialog/context.ts'
import { ITEMS_A_SCREEN, itemsOf, type Listing, MOST_CHUNKS } from '../dialog/listing.ts'
import type { Turn } from '../dialog/turn.ts'
import { onButton } from '../participant/on-button.ts'
import { buttons } from '../views/buttons.ts'
import { listingView } from '../views/listing.ts'
import { keepListing, listingOf } from './organizer-state.ts'
import { MOST_LETTERS, newListing, pageCall, UUID } from './search.ts'

/** `/records` and `/roadmaps`, with their screens and filters. */
export function lists(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  composer.command('records', (ctx) => search(ctx.turn, 'record', ctx.match.trim()))
  composer.command('roadmaps', (ctx) => search(ctx.turn, 'roadmap', ctx.match.trim()))

  onButton(composer, buttons.list, (ctx, _, id, screen) =>
    change(ctx, id, (listing, messageId) => showScreen(ctx.turn, listing, screen, messageId)),
  )
  onButton(composer, buttons.relist, (ctx, _, id) =>
    change(ctx, id, (listing, messageId) => checkAgain(ctx.turn, listing, messageId)),
  )
  onButton(composer, buttons.filter, (ctx, _, id, which, wanted) =>
    change(ctx, id, (listing, messageId) =>
      narrow(ctx.turn, { ...listing, [which]: wanted === 'any' ? undefined : wanted === 'true' }, messageId),
    ),
  )
  onButton(composer, buttons.filterKind, (ctx, next, id, _, wanted) =>
    change(ctx, id, (listing, messageId) => {
      const kindId = wanted === 'any' ? undefined : listing.kinds[Number(wanted)]?.id
      if (kindId === undefined && wanted !== 'any') return next()
      return narrow(ctx.turn, { ...listing, kindId }, messageId)
    }),
  )
  return composer
}

async function search(turn: Turn, kind: Listing['kind'], text: string): Promise<void> {
  if ([...text].length > MOST_LETTERS)
    return void (await turn.send({ text: turn.t('search-too-long', { letters: MOST_LETTERS }) }))
  if (UUID.test(text)) {
    const token = text.toLowerCase()
    return askService(turn, { act: 'seek', kind, token }, { kind: 'find', token, first: kind })
  }
  await beginListing(turn, newListing(kind, text))
}

/** Asks for the first page; the listing is kept from here on with its search. */
export async function beginListing(turn: Turn, listing: Listing): Promise<void> {
  await keepListing(turn, listing)
  await askService(
    turn,
    { act: 'page', listing: listing.id, version: listing.version, screen: 1 },
    pageCall(listing, 1),
  )
}

async function change(
  ctx: TurnContext,
  id: string,
  act: (listing: Listing, messageId: number | undefined) => Promise<unknown>,
): Promise<void> {
  const listing = await listingOf(ctx.turn, id)
  if (listing) await act(listing, tappedMessage(ctx))
  else await ctx.turn.send({ text: ctx.turn.t('list-gone', { command: '/records, /roadmaps' }) })
}

/** Shows a screen; where its items have not been looked at yet, the service is asked for the next page. */
export async function showScreen(
  turn: Turn,
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
      turn,
      {
        act: 'page',
        listing: listing.id,
        version: listing.version,
        screen,
        ...(messageId !== undefined && { messageId }),
      },
      pageCall(listing, next),
    )
  await draw(turn, { ...listing, screen: lastScreen(items.length, screen) }, isTooLong, messageId)
}

const lastScreen = (items: number, screen: number): number =>
  Math.max(1, Math.min(screen, Math.ceil(items / ITEMS_A_SCREEN)))

async function draw(
  turn: Turn,
  listing: Listing,
  isTooLong: boolean,
  messageId: number | undefined,
): Promise<void> {
  await keepListing(turn, listing)
  const items = itemsOf(listing)
  const before = (listing.screen - 1) * ITEMS_A_SCREEN
  const shown = items.slice(before, before + ITEMS_A_SCREEN)
  const isMore = before + shown.length < items.length
  const view = listingView(turn.t, {
    ...listing,
    before,
    items: shown,
    hasNext: isMore || (listing.chunks.at(-1)?.next !== undefined && !isTooLong),
    isTooLong: isTooLong && !isMore,
  })
  await turn.show(messageId, view)
}

/** Another filter: everything that was looked at is another list. */
async function narrow(turn: Turn, listing: Listing, messageId: number | undefined): Promise<void> {
  const anew = { ...listing, version: listing.version + 1, chunks: [], screen: 1 }
  await keepListing(turn, anew)
  const act = { act: 'page', listing: anew.id, version: anew.version, screen: 1, chunk: 0 } as const
  await askService(turn, { ...act, ...(messageId !== undefined && { messageId }) }, pageCall(anew, 1))
}

/** Looks at the page of this screen once more. */
async function checkAgain(turn: Turn, listing: Listing, messageId: number | undefined): Promise<void> {
  const { id, version, screen, chunks } = listing
  let passed = 0
  const chunk = chunks.findIndex(({ items }) => {
    passed += items.length
    return passed > (screen - 1) * ITEMS_A_SCREEN
  })
  const at = Math.max(0, chunk)
  const act = { act: 'page', listing: id, version, screen, chunk: at } as const
  await askService(
    turn,
    { ...act, ...(messageId !== undefined && { messageId }) },
    pageCall(listing, chunks[at]?.page ?? 1),
  )
}
