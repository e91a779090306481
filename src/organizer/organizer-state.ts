import { type Listing, MOST_LISTINGS } from '../dialog/listing.ts'
import type { OrganizerSession } from '../dialog/session.ts'
import type { UpdateContext } from '../dialog/update-context.ts'

/** What this organizer has open, also where no update is handled; it may be lost. */
export const readOrganizerState = async ({ deps, account }: UpdateContext): Promise<OrganizerSession> =>
  (await deps.sessions.read(String(account.chatId))) ?? {}

/** Changes what an organizer has open. */
export async function changeOrganizerState(
  ctx: UpdateContext,
  change: (state: OrganizerSession) => OrganizerSession,
): Promise<void> {
  const { deps, account } = ctx
  await deps.sessions.write(String(account.chatId), change(await readOrganizerState(ctx)))
}

export const listingOf = async (ctx: UpdateContext, id: string): Promise<Listing | undefined> =>
  (await readOrganizerState(ctx)).listings?.find((each) => each.id === id)

/** Keeps a listing as the newest; the oldest leaves. */
export const keepListing = (ctx: UpdateContext, listing: Listing): Promise<void> =>
  changeOrganizerState(ctx, ({ listings = [], ...state }) => {
    const others = listings.filter(({ id }) => id !== listing.id)
    return { ...state, listings: [...others, listing].slice(-MOST_LISTINGS) }
  })
