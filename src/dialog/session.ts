import { z } from 'zod'
import { listing } from './listing.ts'

/** What an organizer has open. It may be lost: whoever misses it asks once more. */
export const organizerSession = z.object({
  /** Of what was begun here nothing but its mark is kept any more; a card has shown that it can be released. */
  releasable: z
    .object({
      s: z.string(),
      kind: z.enum(['record', 'roadmap']).default('record'),
      token: z.string(),
      title: z.string(),
      /** The record whose profile has the mobile; nobody's until the service has linked one. */
      mobileOf: z.string().optional(),
    })
    .optional(),
  /** The tests of the board that was shown last, by their titles. */
  boardTests: z.array(z.string()).optional(),
  /** The newest last. */
  listings: z.array(listing).optional(),
})
export type OrganizerSession = z.infer<typeof organizerSession>
