import { z } from 'zod'
import { account, storedConversation } from '../../domain/account.ts'
import { listPass } from '../../domain/analysis-checks.ts'
import { assignee, language } from '../../domain/assignee.ts'
import { questionnaire } from '../../domain/questionnaire.ts'
import { type RecordFile, recordFile } from '../../domain/record/record.ts'
import { boardListOf } from '../../domain/record/standing.ts'
import { document } from '../documents.ts'
import type { UnitOfWork } from '../unit-of-work.ts'
import type { Vault } from '../vault.ts'
import { expiry } from './retention.ts'
import {
  assigneeFromClaim,
  deadLettersFromVersion1,
  neverReleased,
  neverWritten,
  recordFromVersion2,
  waitingFromResults,
} from './upgrades.ts'

/** The id of a record or roadmap, in any spelling of its token: a keyed hash, which reveals nothing of it. */
export const tokenKey = (vault: Vault, token: string): string => vault.hash('token', token.toLowerCase())

/** The id of an account: a keyed hash, which reveals nothing of the chat. */
export const accountKey = (vault: Vault, chatId: number): string => vault.hash('account', String(chatId))

/** The id of an invitation. */
export const codeKey = (vault: Vault, code: string): string => vault.hash('invitation', code)

/** The account that a job works for, and the epoch in which it began (see `epochs`). */
export const onBehalfSchema = z.object({ who: z.string(), chatId: z.number(), epoch: z.number(), language })
export type OnBehalf = z.infer<typeof onBehalfSchema>

/** By the account's keyed hash. */
export const accounts = document('u', { schema: account, expiresAt: expiry.account })

/** Grows with /forget, so that work begun before cannot restore anything. By the account's keyed hash. */
export const epochs = document('e', { schema: z.object({ epoch: z.number() }) })

/** By record id. */
export const recordFiles = document('r', {
  schema: recordFile,
  upgrades: [neverReleased, recordFromVersion2, neverWritten, neverWritten],
  expiresAt: expiry.record,
  // The board shows the tests of a roadmap with their roadmap.
  list: (file, vault) =>
    file.parent ? undefined : { id: tokenKey(vault, file.token), ...boardListOf(file) },
})

/** From a token's keyed hash to its record id. */
export const tokenIndex = document('i', {
  schema: z.object({ s: z.string(), isClaimed: z.literal(true).optional() }),
  expiresAt: expiry.token,
})

/** The assignee of a record or whole roadmap; it outlives all other documents. By the token's keyed hash. */
export const assignees = document('c', { schema: assignee, upgrades: [assigneeFromClaim, neverWritten] })

/** By the keyed hash of the content, see `questions.ts`. */
export const questionnaires = document('q', {
  schema: questionnaire,
  isImmutable: true,
  isReplaceable: true,
  expiresAt: expiry.questions,
})

/** The pictures of questions. By the hash of their content. */
export const pictures = document('p', {
  schema: z.object({ base64: z.string() }),
  isImmutable: true,
  expiresAt: expiry.questions,
})

/** The state of a step's conversation. By record id. */
export const talks = document('t', {
  schema: storedConversation,
  expiresAt: expiry.talk,
  isReplaceable: true,
})

const watchedAnalysis = z.object({
  at: z.number(),
  onBehalf: onBehalfSchema,
  /** When the analysis began; absent after the notice that it takes very long. */
  since: z.number().optional(),
})
export type WatchedAnalysis = z.infer<typeof watchedAnalysis>

const keptChecks = z.object({
  alone: z.record(z.string(), watchedAnalysis),
  list: listPass.optional(),
  aloneAt: z.number().optional(),
  freeAt: z.number(),
})
export type KeptChecks = z.infer<typeof keptChecks>
export const noChecks = (): KeptChecks => ({ alone: {}, freeAt: 0 })
/** The analyses that are polled: one document for all, to space out polls. Jobs restore lost entries. */
export const checks = document('l', {
  schema: keptChecks,
  upgrades: [noChecks],
  expiresAt: expiry.schedule,
  isReplaceable: true,
})

/** When somebody caused SMS codes, or calls for unclaimed records. By a keyed hash. */
export const callCounters = document('n', {
  schema: z.object({ at: z.array(z.number()), verified: z.array(z.number()).optional() }),
  expiresAt: expiry.sms,
  isReplaceable: true,
})

/** Tokens that the service does not know. By their keyed hash. */
export const unknownTokens = document('k', {
  schema: z.object({}),
  expiresAt: expiry.unknown,
  isReplaceable: true,
})

/** Causes with a notice to organizers within the last hour, or until settled. By the cause's keyed hash. */
export const notifiedCauses = document('y', {
  schema: z.object({ at: z.number(), isLasting: z.literal(true).optional() }),
  expiresAt: expiry.told,
  isReplaceable: true,
})

/** When an organizer's reminder was sent or will be sent. By record id. */
export const nudges = document('nudge', {
  schema: z.object({ at: z.number() }),
  expiresAt: (nudge, { now, retentionDays }) =>
    expiry.nudge(nudge, { now: Math.max(now, nudge.at), retentionDays }),
  isReplaceable: true,
})

/** A chat that receives the result, with its language. */
const recipient = z.object({ chatId: z.number(), language })
export type Recipient = z.infer<typeof recipient>

const part = recipient.extend({
  kind: z.enum(['picture', 'text', 'pdf', 'document']),
  index: z.number(),
  /** Large text: nothing is folded. */
  isLarge: z.literal(true).optional(),
})
export type ResultPart = z.infer<typeof part>

/** An album of a former version: `count` pictures from this index on, which are now sent one by one. */
const album = part
  .extend({ kind: z.literal('album'), count: z.number() })
  .transform(({ count, ...first }) =>
    Array.from(
      { length: count },
      (_, at): ResultPart => ({ ...first, kind: 'picture', index: first.index + at }),
    ),
  )

const owedResult = z.object({
  json: z.unknown().optional(),
  /** Results of the records that the combined result compares, if it does not contain them. */
  records: z.array(z.object({ s: z.string(), json: z.unknown() })).optional(),
  /** An earlier result of the same account for the same test and person. */
  earlier: z.object({ at: z.number(), s: z.string(), json: z.unknown() }).optional(),
  html: z.string().optional(),
  /** The report is not available yet or too long to store, and is fetched when its part is due. */
  isReportAwaited: z.literal(true).optional(),
  /** The stored result is shorter than that of the service. */
  isCut: z.literal(true).optional(),
  date: z.number(),
  /** The parts that Telegram has not confirmed yet, in order. */
  parts: z.array(part.or(album)).transform((parts) => parts.flat()),
})
export type OwedResult = z.infer<typeof owedResult>

/** A longer report is sent but not stored: sealing and opening it for every part would block everyone. */
export const LONGEST_KEPT_REPORT = 1_000_000

/** A result to deliver, until Telegram has confirmed all of its parts. By record id. */
export const owedResults = document('o', { schema: owedResult, expiresAt: expiry.owed })

/**
 * Work that continues with the next /start of an account that blocked the bot or never started it,
 * participant or not. By the account's keyed hash.
 */
export const blockedDeliveries = document('b', {
  schema: z.object({
    waiting: z.array(z.object({ actor: z.string(), body: z.record(z.string(), z.unknown()) })),
  }),
  upgrades: [waitingFromResults],
  expiresAt: expiry.owed,
})

const deadLetter = z.object({
  id: z.string(),
  actor: z.string(),
  at: z.number(),
  /** How often this failed in the same way. */
  times: z.number(),
  why: z.string(),
  trace: z.string(),
  /** The message that `porsa stuck repeat` posts again; absent if it could not be opened. */
  body: z.record(z.string(), z.unknown()).optional(),
})
export type DeadLetter = z.infer<typeof deadLetter>

/** Messages that failed for good. By the account's keyed hash, for /forget, or else the actor's. */
export const deadLetters = document('d', {
  schema: z.object({ letters: z.array(deadLetter) }),
  upgrades: [deadLettersFromVersion1],
  expiresAt: expiry.setAside,
  isReplaceable: true,
})

/** The file of a record or roadmap, whichever account began it. */
export async function fileOfToken(work: UnitOfWork, token: string): Promise<RecordFile | undefined> {
  const known = await work.get(tokenIndex, tokenKey(work.vault, token))
  return known && work.get(recordFiles, known.s)
}
