import type { OrganizerCall } from '../dialog/ask-service.ts'
import { newShortId } from '../dialog/files.ts'
import type { Listing } from '../dialog/listing.ts'
import { toAsciiDigits } from '../domain/persian/digits.ts'

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** More goes into no address. */
export const MOST_LETTERS = 200

/** What was typed behind `/records` or `/roadmaps`: a text, `#` and an external id, or a UUID. */
export function newListing(kind: Listing['kind'], text: string): Listing {
  const digits = /^#\s*(-?\d{1,16})$/.exec(toAsciiDigits(text))?.[1]
  const externalId = digits === undefined ? Number.NaN : Number(digits)
  return {
    id: newShortId(),
    kind,
    text,
    ...(Number.isSafeInteger(externalId) && { externalId }),
    ...(UUID.test(text) && { profile: text.toLowerCase() }),
    kinds: [],
    version: 0,
    count: 0,
    at: 0,
    screen: 1,
    chunks: [],
  }
}

/** Whether one result is what was looked for, so that its card is shown at once. */
export const isExact = ({ externalId, profile }: Listing): boolean =>
  externalId !== undefined || profile !== undefined

/** The call for a page of a listing; every filter of both lists is the service's own. */
export function pageCall(listing: Listing, page: number): OrganizerCall {
  const { kind, text, externalId, profile, finished, male, kindId } = listing
  const common = {
    ...(text !== '' && !isExact(listing) && { q: text }),
    ...(page > 1 && { page }),
    ...(finished !== undefined && { filter__is_finished: finished }),
  }
  if (kind === 'record') {
    const query = {
      ...common,
      ...(kindId !== undefined && { filter__test__id: kindId }),
      ...(male !== undefined && { filter__profile__is_male: male }),
      ...(profile !== undefined && { filter__profile__token: profile }),
      ...(externalId !== undefined && { filter__profile__external_id: externalId }),
    }
    return { kind: 'listRecords', query }
  }
  const query = {
    ...common,
    ...(kindId !== undefined && { filter__roadmap__id: kindId }),
    ...(male !== undefined && { filter__test_records__profile__is_male: male }),
    ...(profile !== undefined && { filter__test_records__profile__token: profile }),
    ...(externalId !== undefined && { filter__test_records__profile__external_id: externalId }),
  }
  return { kind: 'listRoadmaps', query }
}

/** The number of the page behind, as the service's own address of it says; nothing else of the address is used. */
export function nextPage(next: string | null): number | undefined {
  const page = /[?&]page=(\d{1,9})(?:&|#|$)/.exec(next ?? '')?.[1]
  return page === undefined ? undefined : Number(page)
}
