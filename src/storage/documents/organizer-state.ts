import { z } from 'zod'

const item = z.object({
  token: z.string(),
  title: z.string(),
  /** The participant's name at the service. */
  person: z.string().optional(),
  /** Set where a list has both. */
  kind: z.enum(['record', 'roadmap']).optional(),
  status: z.number().nullable(),
  isFinished: z.boolean(),
  needsProfile: z.boolean(),
})
export type ListedItem = z.infer<typeof item>

const kind = z.object({ id: z.string(), title: z.string() })

/** A listing that an organizer opened: the search, its filters, and the pages fetched from the service. */
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
  /** Only the records and roadmaps of a group. */
  group: z.object({ id: z.string(), name: z.string() }).optional(),
  /** The tests or products that occurred in it. */
  kinds: z.array(kind),
  /** Grows with every change of a filter, and when the list is read again. */
  version: z.number(),
  count: z.number(),
  /** When the service was last asked. */
  at: z.number(),
  screen: z.number(),
  /** In the order of the service; `next` is the number of the page after the last one. */
  chunks: z.array(z.object({ page: z.number(), items: z.array(item), next: z.number().optional() })),
})
export type Listing = z.infer<typeof listing>

/** A card showed that this record or roadmap can be released: only its tombstone is left. */
const tombstone = z.object({
  s: z.string(),
  kind: z.enum(['record', 'roadmap']),
  token: z.string(),
  title: z.string(),
  /** The record whose profile has the mobile; `undefined` until the service has linked one. */
  mobileOf: z.string().optional(),
})
export type Tombstone = z.infer<typeof tombstone>

/** What an organizer has open, the newest last. It may be lost: the organizer then asks again. */
export const organizerState = z.object({
  tombstones: z.array(tombstone).optional(),
  listings: z.array(listing).optional(),
})
export type OrganizerState = z.infer<typeof organizerState>
