import { z } from 'zod'
import { document } from '../documents.ts'
import { expiry } from './retention.ts'

/** Which results are collected: all, those of one test by title, or those of these tokens. */
export const resultScope = z.discriminatedUnion('of', [
  z.object({ of: z.literal('all') }),
  z.object({ of: z.literal('test'), title: z.string() }),
  z.object({ of: z.literal('some'), tokens: z.array(z.string()) }),
])

const collection = z.object({
  scope: resultScope,
  /** The next page to read. */
  from: z.enum(['record', 'roadmap', 'tokens', 'end']),
  page: z.number(),
  parts: z.number(),
})
export type Collection = z.infer<typeof collection>

/** A table of results in progress. By a random id. */
export const collections = document('rc', { schema: collection, expiresAt: expiry.batch })

const row = z.object({
  token: z.string(),
  kind: z.enum(['record', 'roadmap']),
  title: z.string(),
  externalId: z.number().optional(),
  finished: z.number().optional(),
  /** The person's role, never a name. */
  person: z.string(),
  scale: z.string().optional(),
  score: z.number().optional(),
  percentile: z.number().optional(),
  fast: z.number().optional(),
  run: z.number().optional(),
  activeMinutes: z.number().optional(),
})
export type ResultRow = z.infer<typeof row>

/** The rows of a page, and their tokens. By the collection and its part. */
export const tableParts = document('rp', {
  schema: z.object({ done: z.array(z.string()), rows: z.array(row) }),
  expiresAt: expiry.batch,
})
