import type { InlineKeyboardButton } from 'grammy/types'
import { z } from 'zod'
import { NOTICE_KINDS } from '../../domain/notice.ts'
import { document } from '../documents.ts'
import { expiry } from './retention.ts'

/** Telegram's own type, as the views make it. */
const button = z.custom<InlineKeyboardButton>(
  (value) => typeof value === 'object' && value !== null && 'text' in value,
)

/** A notice for an organizer: text, buttons, and the button that represents it in a list of notices. */
export const notice = z.object({
  text: z.string(),
  keyboard: z.array(z.array(button)).optional(),
  card: button.optional(),
  /** The account it is about, and that account's epoch (see `epochs`): not sent after a /forget. */
  about: z.object({ who: z.string(), epoch: z.number() }).optional(),
})

/** The kinds of notices that an organizer switched off. By the account's keyed hash. */
export const noticeSwitches = document('x', { schema: z.object({ off: z.array(z.enum(NOTICE_KINDS)) }) })

const waiting = notice.extend({
  kind: z.enum(NOTICE_KINDS),
  at: z.number().optional(),
  /** It is in the next message. Later notices do not change that message. */
  isNext: z.literal(true).optional(),
})
export type WaitingNotice = z.infer<typeof waiting>

/** `sent`, `urgent`: recent times of deferrable and of immediate notices. */
const noticeBox = z.object({
  sent: z.array(z.number()),
  urgent: z.array(z.number()).default([]),
  waiting: z.array(waiting),
})
export type NoticeBox = z.infer<typeof noticeBox>

/**
 * An organizer's recent and waiting notices. A notice waits for the morning, to be sent with others, or for
 * the /start of an organizer who cannot be reached. By the account.
 */
export const noticeBoxes = document('z', { schema: noticeBox, expiresAt: expiry.notices })
