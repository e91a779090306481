import { z } from 'zod'
import { document } from './document.ts'
import { auditExpiry, noticesExpiry } from './retention.ts'

/** Which notices an organizer does not want. By the account's keyed hash. */
export const noticeSwitches = document('x', {
  schema: z.object({ off: z.array(z.string()) }),
})

const waiting = z.object({
  kind: z.string(),
  text: z.string(),
  keyboard: z.array(z.array(z.unknown())),
  isUrgent: z.boolean(),
})
export type WaitingNotice = z.infer<typeof waiting>

/** What an organizer was told lately, and what waits: for the morning, or for the others of a crowd. By the account. */
export const noticeBoxes = document('z', {
  schema: z.object({ sent: z.array(z.number()), waiting: z.array(waiting) }),
  expiresAt: noticesExpiry,
})

/** The service refuses the key, and organizers were told so; it goes when a call succeeds. One, by `key`. */
export const keyTroubles = document('k', { schema: z.object({ at: z.number() }), expiresAt: auditExpiry })
