import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { resultTo } from '../../domain/invitation.ts'
import { roleId } from '../../domain/role-ids.ts'
import { document } from './document.ts'
import { madeInvitationExpiry } from './retention.ts'

/** A role of a roadmap that the participant who began has given to another account, for as long as it is given. */
const handed = z.object({ s: z.string(), role: z.number() })

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

const invitation = z.union([made, handed])
type KeptInvitation = z.infer<typeof invitation>

export const isMade = (kept: KeptInvitation | undefined): kept is MadeInvitation =>
  kept !== undefined && 'code' in kept

/** Every invitation by code (`i_…`), whoever made it. By the code's keyed hash. */
export const invitations = document('v', {
  schema: invitation,
  expiresAt: (kept, at) => (isMade(kept) ? madeInvitationExpiry(kept, at) : undefined),
})

/** The invitations that organizers have made for a record or roadmap, the newest last. By the token's keyed hash. */
export const tokenInvitations = document('w', {
  schema: z.object({ codes: z.array(z.string()) }),
})

const CODE_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'
const CODE_LENGTH = 12

/** A code of letters and digits that cannot be taken for each other. */
export function newCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)])
  const code = letters.join('')
  // At least one letter, so that a code is never taken for a number.
  return /[a-z]/.test(code) ? code : newCode()
}

/** Why an invitation opens nothing; `undefined` while it does. */
export function whyClosed(
  { over, until }: Pick<MadeInvitation, 'over' | 'until'>,
  now: number,
): 'used' | 'revoked' | 'expired' | undefined {
  return over ?? (until !== undefined && now >= until ? 'expired' : undefined)
}
