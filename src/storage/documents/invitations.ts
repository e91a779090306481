import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { invitationLine, knownDetails, resultTo, roleId } from '../../domain/invitation.ts'
import { lineFlaw } from '../../domain/invitation-lines.ts'
import { document } from '../documents.ts'
import { onBehalf } from './kinds.ts'
import { expiry } from './retention.ts'

/** A role of a roadmap that the participant who began has given to another account; `overAt`: since when no more. */
const handed = z.object({ s: z.string(), role: z.number(), overAt: z.number().optional() })
export type HandedRole = z.infer<typeof handed>

/** An invitation that an organizer has made. */
const made = z.object({
  code: z.string(),
  kind: z.enum(['record', 'roadmap']),
  token: z.string(),
  /** What it opens, as the service calls it. */
  title: z.string(),
  externalId: z.number().optional(),
  /** Of a roadmap: the organizer's own ids of those who take its roles. */
  roleIds: z.array(roleId).optional(),
  /** One role of a roadmap whose profiles exist; its hand stands in the file of the roadmap. */
  role: z.object({ s: z.string(), id: z.number(), title: z.string() }).optional(),
  /** The Telegram id of the organizer. */
  by: z.number(),
  at: z.number(),
  /** It opens nothing after this time. */
  until: z.number().optional(),
  /** Who receives the result, where it is not as `RESULT_TO` says. */
  resultTo: resultTo.optional(),
  /** Since when it opens nothing any more, and why. */
  overAt: z.number().optional(),
  over: z.enum(['used', 'revoked']).optional(),
})
export type MadeInvitation = z.infer<typeof made>

/** A minor has somebody asked who may agree for them, on a phone of their own: once, until a time. */
const guardianLink = z.object({
  /** Who goes on when the answer has come. */
  minor: onBehalf,
  s: z.string(),
  /** Of a roadmap: the role that it is about. */
  role: z.number().optional(),
  until: z.number(),
  over: z.literal('used').optional(),
  /** The answer by it, or by the one before it, was a no. */
  isDeclined: z.literal(true).optional(),
})
export type GuardianLink = z.infer<typeof guardianLink>

const invitation = z.union([made, guardianLink, handed])
type KeptInvitation = z.infer<typeof invitation>

export const isMade = (kept: KeptInvitation | undefined): kept is MadeInvitation =>
  kept !== undefined && 'code' in kept

export const isGuardianLink = (kept: KeptInvitation | undefined): kept is GuardianLink =>
  kept !== undefined && 'minor' in kept

/** Every invitation by code (`i_…`), whoever made it. By the code's keyed hash. */
export const invitations = document('v', {
  schema: invitation,
  expiresAt: (kept, at) =>
    isGuardianLink(kept) ? expiry.guardianLink(kept) : expiry.madeInvitation(kept, at),
})

/** What is known of whose an invitation is, and since when; it ends with it at the latest. By the code's keyed hash. */
export const invitationDetails = document('vd', {
  schema: knownDetails.extend({ at: z.number().optional(), until: z.number().optional() }),
  expiresAt: expiry.invitationDetails,
})

/** The invitations that organizers have made for a record or roadmap, the newest last. By the token's keyed hash. */
export const tokenInvitations = document('w', {
  schema: z.object({ codes: z.array(z.string()) }),
})

/** Without what is mistaken for another letter or digit when it is read out or copied: i, l, o. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz'
const CODE_LETTERS = `${LETTERS}234567`
const CODE_LENGTH = 12

/** A code of letters and digits that cannot be taken for each other; the same one for the same secret bytes. */
export function newCode(seed: Buffer = randomBytes(CODE_LENGTH)): string {
  // It begins with a letter, so that it is never taken for a number.
  const among = (at: number) => (at === 0 ? LETTERS : CODE_LETTERS)
  return Array.from({ length: CODE_LENGTH }, (_, at) =>
    among(at).charAt(seed.readUInt8(at) % among(at).length),
  ).join('')
}

/** Why an invitation opens nothing; `undefined` while it does. */
export const whyClosed = (
  { over, until }: Pick<MadeInvitation, 'over' | 'until'>,
  now: number,
): 'used' | 'revoked' | 'expired' | undefined =>
  over ?? (until !== undefined && now >= until ? 'expired' : undefined)

/** Why a line of a batch has no invitation: as the texts name it, and as it is kept. */
export const LINE_PROBLEMS = {
  line: 'line not understood',
  ids: 'a roadmap takes an external id for each role',
  unknown: 'unknown to the service',
  record: 'it is a record, not a roadmap',
  roadmap: 'it is a roadmap, not a record',
  claimed: 'begun already',
  forgotten: 'deleted by its participant: release it first',
  'of-roadmap': 'belongs to a roadmap',
  finished: 'finished already',
  roles: 'its roles are invited one by one',
  refused: 'refused by the service',
  // What rows of an earlier version may still say.
  'no-ids': 'a roadmap takes no external id',
} as const
type LineProblem = keyof typeof LINE_PROBLEMS
export type InviteRefusal = Extract<
  LineProblem,
  'claimed' | 'forgotten' | 'of-roadmap' | 'finished' | 'roles'
>

/** How the texts name what is kept of a row. */
export const lineProblemOf = (kept: (typeof LINE_PROBLEMS)[LineProblem]): LineProblem =>
  (Object.keys(LINE_PROBLEMS) as LineProblem[]).find((name) => LINE_PROBLEMS[name] === kept) ?? 'refused'

const row = invitationLine.extend({
  /** The how-manieth line of what was given. */
  line: z.number().optional(),
  /** The first line of the same record or roadmap. */
  sameAs: z.number().optional(),
  /** A line that was not understood as it was given, and what is wrong with it. */
  given: z.string().optional(),
  flaw: lineFlaw.optional(),
  /** Whose it is, as the service or the line says. */
  person: z.string().optional(),
  /** Its ids by role, once it was looked up. */
  roleIds: z.array(roleId).optional(),
  /** What the service has under the token, once it was looked up. */
  title: z.string().optional(),
  isFinished: z.boolean().optional(),
  code: z.string().optional(),
  error: z.enum(LINE_PROBLEMS).optional(),
})
export type BatchRow = z.infer<typeof row>

/** Invitations for many lines, in their order, as far as they have come. By a random id. */
export const batches = document('h', {
  schema: z.object({ by: z.number(), rows: z.array(row) }),
  expiresAt: expiry.batch,
})
export type Batch = { by: number; rows: BatchRow[] }
