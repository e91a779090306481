import { z } from 'zod'
import { account, keptTalk } from '../../domain/account.ts'
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

/** What a record or roadmap is kept under, however the service writes its token: nothing of that follows from it. */
export const tokenKey = (vault: Vault, token: string): string => vault.hash('token', token.toLowerCase())

/** What an account is kept under: nothing of the chat follows from it. */
export const accountKey = (vault: Vault, chatId: number): string => vault.hash('account', String(chatId))

/** What an invitation is kept under. */
export const codeKey = (vault: Vault, code: string): string => vault.hash('invitation', code)

/** The account a job works for, and the epoch it began in (see `epochs`). */
export const onBehalf = z.object({ who: z.string(), chatId: z.number(), epoch: z.number(), language })
export type OnBehalf = z.infer<typeof onBehalf>

/** By the account's keyed hash. */
export const accounts = document('u', { schema: account, expiresAt: expiry.account })

/** Raised by /forget: work that began before does not bring anything back. By the account's keyed hash. */
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

/** Who may answer a record or roadmap as a whole; it stays when all else is gone. By the token's keyed hash. */
export const assignees = document('c', { schema: assignee, upgrades: [assigneeFromClaim, neverWritten] })

/** By the keyed hash of their content, see `questions.ts`. */
export const questionnaires = document('q', {
  schema: questionnaire,
  isImmutable: true,
  isReplaceable: true,
  expiresAt: expiry.questions,
})

/** The pictures of questions, by the hash of their content. */
export const pictures = document('p', {
  schema: z.object({ base64: z.string() }),
  isImmutable: true,
  expiresAt: expiry.questions,
})

/** Where the conversation of a step waits. By record id. */
export const talks = document('t', { schema: keptTalk, expiresAt: expiry.talk, isReplaceable: true })

const watchedAnalysis = z.object({
  at: z.number(),
  onBehalf,
  /** When the analysis was begun; gone once it was told that it takes very long. */
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
/** The analyses that are looked at: one for all, so that looks keep their distance; what it loses its job brings back. */
export const checks = document('l', {
  schema: keptChecks,
  upgrades: [noChecks],
  expiresAt: expiry.schedule,
  isReplaceable: true,
})

/** Times of the SMS codes, or of the calls for what nobody has claimed, that somebody has caused; by a keyed hash. */
export const callCounters = document('n', {
  schema: z.object({ at: z.array(z.number()), verified: z.array(z.number()).optional() }),
  expiresAt: expiry.sms,
  isReplaceable: true,
})

/** Tokens that the service does not know, by their keyed hash. */
export const unknownTokens = document('k', {
  schema: z.object({}),
  expiresAt: expiry.unknown,
  isReplaceable: true,
})

/** What organizers were told of within the last hour, or until it is settled. By the keyed hash of the cause. */
export const notifiedCauses = document('y', {
  schema: z.object({ at: z.number(), isLasting: z.literal(true).optional() }),
  expiresAt: expiry.told,
  isReplaceable: true,
})

/** That an organizer has reminded the participant of it, or when that goes out. By record id. */
export const nudges = document('nudge', {
  schema: z.object({ at: z.number() }),
  expiresAt: (nudge, { now, retentionDays }) =>
    expiry.nudge(nudge, { now: Math.max(now, nudge.at), retentionDays }),
  isReplaceable: true,
})

/** A chat that receives the result, in its language. */
const recipient = z.object({ chatId: z.number(), language })
export type Recipient = z.infer<typeof recipient>

const part = recipient.extend({
  kind: z.enum(['picture', 'text', 'pdf', 'document']),
  index: z.number(),
  /** Large text: nothing of it is folded. */
  isLarge: z.literal(true).optional(),
})
export type Part = z.infer<typeof part>

/** A former version's, of `count` pictures from this one on, which go one by one. */
const album = part
  .extend({ kind: z.literal('album'), count: z.number() })
  .transform(({ count, ...first }) =>
    Array.from({ length: count }, (_, at): Part => ({ ...first, kind: 'picture', index: first.index + at })),
  )

const owedResult = z.object({
  json: z.unknown().optional(),
  /** The results of records that the combined one is compared by, where it does not give them itself. */
  records: z.array(z.object({ s: z.string(), json: z.unknown() })).optional(),
  /** What the same account has of the same test and person from before. */
  earlier: z.object({ at: z.number(), s: z.string(), json: z.unknown() }).optional(),
  html: z.string().optional(),
  /** The report could not be had yet or is too long to be kept, and is fetched when its turn has come. */
  isReportAwaited: z.literal(true).optional(),
  /** The service says more than what is kept of it here. */
  isCut: z.literal(true).optional(),
  date: z.number(),
  /** What has not been confirmed yet, in order. */
  parts: z.array(part.or(album)).transform((parts) => parts.flat()),
})
export type OwedResult = z.infer<typeof owedResult>

/** A longer report is not kept, only sent: sealing and opening it for every part would hold up everybody. */
export const LONGEST_KEPT_REPORT = 1_000_000

/** A result that is owed until Telegram has confirmed each of its parts. By record id. */
export const owedResults = document('o', { schema: owedResult, expiresAt: expiry.owed })

/**
 * Work that goes on when an account that had blocked the bot, or never begun it, sends /start: perhaps no participant at
 * all. By the account's keyed hash.
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
  /** How often the same failed in the same way. */
  times: z.number(),
  why: z.string(),
  trace: z.string(),
  /** What is handed out again by `porsa stuck repeat`; nothing where it could not be opened. */
  body: z.record(z.string(), z.unknown()).optional(),
})
export type DeadLetter = z.infer<typeof deadLetter>

/** Messages that failed for good, for the operator. By the keyed hash of the account, so that /forget finds them, else of the actor. */
export const deadLetters = document('d', {
  schema: z.object({ letters: z.array(deadLetter) }),
  upgrades: [deadLettersFromVersion1],
  expiresAt: expiry.setAside,
  isReplaceable: true,
})

/** The file that is kept of a record or roadmap, whoever has begun it. */
export async function fileOfToken(work: UnitOfWork, token: string): Promise<RecordFile | undefined> {
  const known = await work.get(tokenIndex, tokenKey(work.vault, token))
  return known && work.get(recordFiles, known.s)
}
