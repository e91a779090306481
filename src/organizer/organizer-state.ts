import { type Listing, MOST_LISTINGS } from '../dialog/listing.ts'
import type { OrganizerSession } from '../dialog/session.ts'
import type { Turn } from '../dialog/turn.ts'

/** What this organizer has open, also where no update is handled; it may be lost. */
export const readOrganizerState = async ({ deps, account }: Turn): Promise<OrganizerSession> =>
  (await deps.sessions.read(String(account.chatId))) ?? {}

/** Changes what an organizer has open. */
export async function changeOrganizerState(
  turn: Turn,
  change: (state: OrganizerSession) => OrganizerSession,
): Promise<void> {
  const { deps, account } = turn
  await deps.sessions.write(String(account.chatId), change(await readOrganizerState(turn)))
}

export const listingOf = async (turn: Turn, id: string): Promise<Listing | undefined> =>
  (await readOrganizerState(turn)).listings?.find((each) => each.id === id)

/** Keeps a listing as the newest; the oldest leaves. */
export const keepListing = (turn: Turn, listing: Listing): Promise<void> =>
  changeOrganizerState(turn, ({ listings = [], ...state }) => {
    const others = listings.filter(({ id }) => id !== listing.id)
    return { ...state, listings: [...others, listing].slice(-MOST_LISTINGS) }
  })
