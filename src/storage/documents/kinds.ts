import { z } from 'zod'
import { account, keptTalk } from '../../domain/account.ts'
import { poll } from '../../domain/analysis-checks.ts'
import { assignee } from '../../domain/assignee.ts'
import { questionnaire } from '../../domain/questionnaire.ts'
import { recordFile } from '../../domain/record/record.ts'
import { document } from './document.ts'
import { onBehalf, owedResult } from './owed-result.ts'
import {
  accountExpiry,
  owedExpiry,
  questionsExpiry,
  recordExpiry,
  scheduleExpiry,
  setAsideExpiry,
  smsExpiry,
  talkExpiry,
  tokenExpiry,
  toldExpiry,
} from './retention.ts'
import {
  assigneeFromClaim,
  recordFromVersion1,
  recordFromVersion2,
  recordFromVersion3,
  waitingFromResults,
} from './upgrades.ts'

/** Kept with every consent. */
export { CONSENT_VERSION } from '../../texts/keys.ts'

/** By the account's keyed hash. */
export const accounts = document('u', { schema: account, expiresAt: accountExpiry })

/** Raised by /forget: work that began before does not bring anything back. By the account's keyed hash. */
export const epochs = document('e', { schema: z.object({ epoch: z.number() }) })

/** By record id. */
export const recordFiles = document('r', {
  schema: recordFile,
  upgrades: [recordFromVersion1, recordFromVersion2, recordFromVersion3],
  expiresAt: recordExpiry,
})

/** From a token's keyed hash to its record id. */
export const tokenIndex = document('i', {
  schema: z.object({ s: z.string(), isClaimed: z.literal(true).optional() }),
  expiresAt: tokenExpiry,
})

/** Who may answer a record or roadmap as a whole; it stays when all else is gone. By the token's keyed hash. */
export const assignees = document('c', { schema: assignee, upgrades: [assigneeFromClaim] })

/** By the keyed hash of their content, see `questions.ts`. */
export const questionnaires = document('q', {
  schema: questionnaire,
  isImmutable: true,
  isReplaceable: true,
  expiresAt: questionsExpiry,
})

/** The pictures of questions, by the hash of their content. */
export const pictures = document('p', {
  schema: z.object({ base64: z.string() }),
  isImmutable: true,
  expiresAt: questionsExpiry,
})

/** Where the conversation of a step waits. By record id. */
export const talks = document('t', { schema: keptTalk, expiresAt: talkExpiry, isReplaceable: true })

const watchedAnalysis = z.object({
  at: z.number(),
  onBehalf,
  /** When the analysis was begun; gone once it was told that it takes very long. */
  since: z.number().optional(),
})
export type WatchedAnalysis = z.infer<typeof watchedAnalysis>

const keptChecks = z.object({
  alone: z.record(z.string(), watchedAnalysis),
  list: poll.extend({ at: z.number() }).optional(),
  freeAt: z.number(),
})
export type KeptChecks = z.infer<typeof keptChecks>
export const noChecks = (): KeptChecks => ({ alone: {}, freeAt: 0 })
/** The analyses that are looked at: one for all, so that looks keep their distance; what it loses its job brings back. */
export const checks = document('l', {
  schema: keptChecks,
  upgrades: [noChecks],
  expiresAt: scheduleExpiry,
  isReplaceable: true,
})

/** Times of the SMS codes caused by an account or a mobile, by its keyed hash. */
export const smsCounters = document('n', {
  schema: z.object({ at: z.array(z.number()) }),
  expiresAt: smsExpiry,
  isReplaceable: true,
})

/** What organizers were told of within the last hour, or until it is settled. By the keyed hash of the cause. */
export const toldCauses = document('y', {
  schema: z.object({ at: z.number(), isLasting: z.literal(true).optional() }),
  expiresAt: toldExpiry,
  isReplaceable: true,
})

/** A result that is owed until Telegram has confirmed each of its parts. By record id. */
export const owedResults = document('o', { schema: owedResult, expiresAt: owedExpiry })

/**
 * Work that goes on when an account that had blocked the bot, or never begun it, sends /start: perhaps no participant at
 * all. By the account's keyed hash.
 */
export const blockedDeliveries = document('b', {
  schema: z.object({
    waiting: z.array(z.object({ actor: z.string(), body: z.record(z.string(), z.unknown()) })),
  }),
  upgrades: [waitingFromResults],
  expiresAt: owedExpiry,
})

/** Messages that failed for good, for the operator: whose they were and when, no more, since /forget finds no way here. */
export const setAsideMessages = document('d', {
  schema: z.object({ actor: z.string(), at: z.number() }),
  expiresAt: setAsideExpiry,
})
