import { z } from 'zod'

const item = z.object({
  token: z.string(),
  title: z.string(),
  /** The participant as the service names them. */
  person: z.string().optional(),
  /** Where a list has both. */
  kind: z.enum(['record', 'roadmap']).optional(),
  status: z.number().nullable(),
  isFinished: z.boolean(),
  needsProfile: z.boolean(),
})
export type ListedItem = z.infer<typeof item>

const kind = z.object({ id: z.string(), title: z.string() })

/** What an organizer has listed: the search with its filters, and the pages of the service that were looked at. */
const listing = z.object({
  id: z.string(),
  kind: z.enum(['record', 'roadmap']),
  /** As it was typed. */
  text: z.string(),
  externalId: z.number().optional(),
  /** A profile's token. */
  profile: z.string().optional(),
  finished: z.boolean().optional(),
  male: z.boolean().optional(),
  kindId: z.string().optional(),
  /** Only what was invited together. */
  group: z.object({ id: z.string(), name: z.string() }).optional(),
  /** Tests or products that were seen in it. */
  kinds: z.array(kind),
  /** Grows with every change of a filter. */
  version: z.number(),
  count: z.number(),
  /** When the service was last asked. */
  at: z.number(),
  screen: z.number(),
  /** In the order of the service; `next` is the number of the page behind the last one. */
  chunks: z.array(z.object({ page: z.number(), items: z.array(item), next: z.number().optional() })),
})
export type Listing = z.infer<typeof listing>

/** Of what was begun here nothing but its tombstone is kept any more; a card has shown that it can be released. */
const tombstone = z.object({
  s: z.string(),
  kind: z.enum(['record', 'roadmap']),
  token: z.string(),
  title: z.string(),
  /** The record whose profile has the mobile; `undefined` until the service has linked one. */
  mobileOf: z.string().optional(),
})
export type Tombstone = z.infer<typeof tombstone>

/** What an organizer has open, of each the newest last. It may be lost: who misses it asks once more. */
export const organizerState = z.object({
  tombstones: z.array(tombstone).optional(),
  listings: z.array(listing).optional(),
})
export type OrganizerState = z.infer<typeof organizerState>
