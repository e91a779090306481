import { z } from 'zod'
import { LANGUAGE_CODES } from '../../texts/languages.ts'

const language = z.enum(LANGUAGE_CODES)

/** The account a job works for, and the epoch it began in (see `epochs`). */
export const onBehalf = z.object({ who: z.string(), chatId: z.number(), epoch: z.number(), language })
export type OnBehalf = z.infer<typeof onBehalf>

/** A chat that receives the result, in its language. */
const recipient = z.object({ chatId: z.number(), language })
export type Recipient = z.infer<typeof recipient>

const part = recipient.extend({
  kind: z.enum(['picture', 'album', 'text', 'document']),
  /** Which one, of an album the first of its pictures. */
  index: z.number(),
  /** How many pictures an album has. */
  count: z.number().optional(),
})
export type Part = z.infer<typeof part>

export const owedResult = z.object({
  json: z.unknown().optional(),
  /** The results of records that the combined one is compared by, where it does not give them itself. */
  records: z.array(z.object({ s: z.string(), json: z.unknown() })).optional(),
  html: z.string().optional(),
  /** The report could not be had yet or is too long to be kept, and is fetched when its turn has come. */
  isReportAwaited: z.literal(true).optional(),
  /** The service says more than what is kept of it here. */
  isCut: z.literal(true).optional(),
  date: z.number(),
  /** What has not been confirmed yet, in order. */
  parts: z.array(part),
})
export type OwedResult = z.infer<typeof owedResult>

/** A longer report is not kept, only sent: sealing and opening it for every part would hold up everybody. */
export const LONGEST_KEPT_REPORT = 1_000_000
