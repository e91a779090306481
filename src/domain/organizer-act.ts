import { z } from 'zod'
import { knownDetails } from './invitation.ts'

const kind = z.enum(['record', 'roadmap'])

/** What an organizer has asked the service for: what its answer is used for when it comes. */
export const organizerAct = z.discriminatedUnion('act', [
  /** A page of a listing, for one of its screens; `chunk`: in place of the page that is there already. */
  z.object({
    act: z.literal('page'),
    listing: z.string(),
    /** Of the listing's search and filters, when it was asked for. */
    version: z.number(),
    screen: z.number(),
    chunk: z.number().optional(),
    /** How many there are, where it lists a group. */
    count: z.number().optional(),
    messageId: z.number().optional(),
  }),
  z.object({ act: z.literal('card'), kind, token: z.string(), messageId: z.number().optional() }),
  /** A result that was not finished here. */
  z.object({ act: z.literal('send'), kind, token: z.string() }),
  /** A UUID that was searched for: what it is, or failing that whose profile. */
  z.object({ act: z.literal('seek'), kind, token: z.string() }),
  /** Words that no dialog waited for. */
  z.object({ act: z.literal('search'), text: z.string() }),
  z.object({
    act: z.literal('invite'),
    token: z.string(),
    /** The kind that was named. */
    kind: kind.optional(),
    externalId: z.number().optional(),
    externalIds: z.array(z.number().nullable()).optional(),
    details: knownDetails.optional(),
    role: z.number().optional(),
  }),
])
export type OrganizerAct = z.infer<typeof organizerAct>
