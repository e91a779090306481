import { z } from 'zod'
import { listing } from './listing.ts'

/** What an organizer has open. It may be lost: whoever misses it asks once more. */
export const organizerSession = z.object({
  /** An organizer is asked for another external id of this record. */
  asksExternalId: z.string().optional(),
  /** Lines for invitations are waited for. */
  asksLines: z.literal(true).optional(),
  /** Of what was begun here nothing but its mark is kept any more; a card has shown that it can be released. */
  releasable: z
    .object({
      s: z.string(),
      token: z.string(),
      title: z.string(),
      /** The record whose profile has the mobile; nobody's until the service has linked one. */
      mobileOf: z.string().optional(),
    })
    .optional(),
  /** The newest last. */
  listings: z.array(listing).optional(),
})
export type OrganizerSession = z.infer<typeof organizerSession>
