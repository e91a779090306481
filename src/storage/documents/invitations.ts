import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { invitationLine, knownDetails, resultTo, roleId } from '../../domain/invitation.ts'
import { lineFlaw } from '../../domain/invitation-lines.ts'
import { document } from '../documents.ts'
import { onBehalfSchema } from './kinds.ts'
import { expiry } from './retention.ts'

/** A role of a roadmap that the participant handed over to another account. `overAt`: when that ended. */
const handed = z.object({ s: z.string(), role: z.number(), overAt: z.number().optional() })
export type HandedRole = z.infer<typeof handed>

const made = z.object({
  code: z.string(),
  kind: z.enum(['record', 'roadmap']),
  token: z.string(),
  /** The title of the record or roadmap at the service. */
  title: z.string(),
  externalId: z.number().optional(),
  /** Of a roadmap: the organizer's external ids for its roles. */
  roleIds: z.array(roleId).optional(),
  /** One role of a roadmap whose profiles exist. Its assignment is in the file of the roadmap. */
  role: z.object({ s: z.string(), id: z.number(), title: z.string() }).optional(),
  /** The Telegram id of the organizer. */
  by: z.number(),
  at: z.number(),
  /** It expires at this time. */
  until: z.number().optional(),
  /** Who receives the result, if it differs from `RESULT_TO`. */
  resultTo: resultTo.optional(),
  /** When the invitation ended, and why. */
  overAt: z.number().optional(),
  over: z.enum(['used', 'revoked']).optional(),
})
export type MadeInvitation = z.infer<typeof made>

/** A link by which a minor asks a guardian, on the guardian's phone, to agree: once, until a time. */
const guardianLink = z.object({
  /** The minor's account, which continues after the answer. */
  minor: onBehalfSchema,
  s: z.string(),
  role: z.number().optional(),
  until: z.number(),
  over: z.literal('used').optional(),
  /** The guardian declined, by this link or the previous one. */
  isDeclined: z.literal(true).optional(),
})
export type GuardianLink = z.infer<typeof guardianLink>

const invitation = z.union([made, guardianLink, handed])
type KeptInvitation = z.infer<typeof invitation>

export const isMade = (kept: KeptInvitation | undefined): kept is MadeInvitation =>
  kept !== undefined && 'code' in kept

export const isGuardianLink = (kept: KeptInvitation | undefined): kept is GuardianLink =>
  kept !== undefined && 'minor' in kept

/** All invitations by code (`i_…`), of organizers and participants. By the code's keyed hash. */
export const invitations = document('v', {
  schema: invitation,
  expiresAt: (kept, at) =>
    isGuardianLink(kept) ? expiry.guardianLink(kept) : expiry.madeInvitation(kept, at),
})

/** Known details of an invited person, since `at`, until the invitation ends. By the code's keyed hash. */
export const invitationDetails = document('vd', {
  schema: knownDetails.extend({ at: z.number().optional(), until: z.number().optional() }),
  expiresAt: expiry.invitationDetails,
})

/** The invitations by organizers for a record or roadmap, the newest last. By the token's keyed hash. */
export const tokenInvitations = document('w', {
  schema: z.object({ codes: z.array(z.string()) }),
})

/** Without i, l and o, which are easily misread. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz'
const CODE_LETTERS = `${LETTERS}234567`
const CODE_LENGTH = 12

/** A code of letters and digits that are hard to confuse. The same secret bytes give the same code. */
export function newCode(seed: Buffer = randomBytes(CODE_LENGTH)): string {
  // The first character is a letter, so that a code never looks like a number.
  const among = (at: number) => (at === 0 ? LETTERS : CODE_LETTERS)
  return Array.from({ length: CODE_LENGTH }, (_, at) =>
    among(at).charAt(seed.readUInt8(at) % among(at).length),
  ).join('')
}

/** Why a line of a batch has no invitation: text key and stored value. */
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
  // Stored by earlier versions.
  'no-ids': 'a roadmap takes no external id',
} as const
type LineProblem = keyof typeof LINE_PROBLEMS
export type InviteRefusal = Extract<
  LineProblem,
  'claimed' | 'forgotten' | 'of-roadmap' | 'finished' | 'roles'
>

/** The text key of a stored problem. */
export const lineProblemOf = (kept: (typeof LINE_PROBLEMS)[LineProblem]): LineProblem =>
  (Object.keys(LINE_PROBLEMS) as LineProblem[]).find((name) => LINE_PROBLEMS[name] === kept) ?? 'refused'

const row = invitationLine.extend({
  /** Its number in the input. */
  line: z.number().optional(),
  /** The first line of the same record or roadmap. */
  sameAs: z.number().optional(),
  /** The input of a line that was not understood, and what is wrong with it. */
  given: z.string().optional(),
  flaw: lineFlaw.optional(),
  /** The person's name, from the service or the line. */
  person: z.string().optional(),
  /** The external ids by role, after the lookup. */
  roleIds: z.array(roleId).optional(),
  /** The title at the service, after the lookup. */
  title: z.string().optional(),
  isFinished: z.boolean().optional(),
  /** Its birth date is outside of the test's age limits. */
  isUnfit: z.boolean().optional(),
  code: z.string().optional(),
  error: z.enum(LINE_PROBLEMS).optional(),
})
export type BatchRow = z.infer<typeof row>

/** Batches: the lines in their order, with the progress of each. By a random id. */
export const batches = document('h', {
  schema: z.object({ by: z.number(), rows: z.array(row) }),
  expiresAt: expiry.batch,
})
export type Batch = { by: number; rows: BatchRow[] }
