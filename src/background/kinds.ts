import type { Account } from '../domain/account.ts'
import type { LookSchedule } from '../domain/look-schedule.ts'
import type { Questionnaire } from '../domain/questionnaire.ts'
import type { RecordFile } from '../domain/record-file.ts'
import { documentKind } from '../store/documents.ts'

/** By the account's keyed hash. */
export const accounts = documentKind<Account>('u')
/** Raised by /forget: work that began before does not bring anything back. By the account's keyed hash. */
export const epochs = documentKind<{ epoch: number }>('e')
/** By `S`. */
export const recordFiles = documentKind<RecordFile>('r')
/** From a token's keyed hash to its `S`. */
export const tokenIndex = documentKind<{ s: string }>('i')
/** By the token's keyed hash. */
export const claims = documentKind<TokenClaim>('c')
/** By the hash of their content. */
export const questionnaires = documentKind<Questionnaire>('q')
/** A role of a roadmap given to another account. By the code's keyed hash. */
export const roleInvitations = documentKind<{ s: string; role: number }>('v')
/** When the roadmaps that are being analysed are looked at next: one for all, so that looks keep their distance. */
export const lookSchedules = documentKind<LookSchedule>('l')
/** Times of the SMS codes caused by an account or a mobile, by its keyed hash. */
export const smsCounters = documentKind<{ at: number[] }>('n')

/** Who began a record or roadmap. A forgotten claim stays, so that the link opens for nobody else. */
export type TokenClaim = { who: string; consent?: Consent; forgotten?: true }
/** Raised when the words that people consent to change. */
export const CONSENT_VERSION = 1

export type Consent = { at: number; language: 'fa' | 'en'; version: number }

export const sittingKey = (s: string): string => `s:${s}`
