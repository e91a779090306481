import { z } from 'zod'

const item = z.object({
  token: z.string(),
  title: z.string(),
  /** The participant as the service names them. */
  person: z.string().optional(),
  status: z.number().nullable(),
  isFinished: z.boolean(),
  needsProfile: z.boolean(),
})
export type ListedItem = z.infer<typeof item>

const kind = z.object({ id: z.string(), title: z.string() })

/** What an organizer has listed: the search with its filters, and the pages of the service that were looked at. */
export const listing = z.object({
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

export const ITEMS_A_SCREEN = 10
/** So many listings are kept, the oldest are dropped. */
export const MOST_LISTINGS = 3
/** So many pages of one listing are kept; who needs more searches. */
export const MOST_CHUNKS = 40

export const itemsOf = ({ chunks }: Listing): ListedItem[] => chunks.flatMap(({ items }) => items)
