import { type Listing, MOST_LISTINGS } from './listing.ts'
import type { OrganizerSession } from './session.ts'
import type { Turn } from './turn.ts'

/** What this organizer has open, also where no update is handled; it may be lost. */
export const openDesk = async ({ deps, account }: Turn): Promise<OrganizerSession> =>
  (await deps.sessions.read(String(account.chatId))) ?? {}

/** Changes what an organizer has open. */
export async function changeDesk(
  turn: Turn,
  change: (desk: OrganizerSession) => OrganizerSession,
): Promise<void> {
  const { deps, account } = turn
  await deps.sessions.write(String(account.chatId), change(await openDesk(turn)))
}

export const listingOf = async (turn: Turn, id: string): Promise<Listing | undefined> =>
  (await openDesk(turn)).listings?.find((each) => each.id === id)

/** Keeps a listing as the newest; the oldest leaves. */
export const keepListing = (turn: Turn, listing: Listing): Promise<void> =>
  changeDesk(turn, ({ listings = [], ...desk }) => {
    const others = listings.filter(({ id }) => id !== listing.id)
    return { ...desk, listings: [...others, listing].slice(-MOST_LISTINGS) }
  })
