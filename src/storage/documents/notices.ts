import type { InlineKeyboardButton } from 'grammy/types'
import { z } from 'zod'
import { NOTICE_KINDS } from '../../domain/notice.ts'
import { document } from '../documents.ts'
import { expiry } from './retention.ts'

/** Telegram's own shape, as the views make it. */
const button = z.custom<InlineKeyboardButton>(
  (value) => typeof value === 'object' && value !== null && 'text' in value,
)

/** A notice as it waits for an organizer: its words and buttons, and the button that stands for it among many. */
export const notice = z.object({
  text: z.string(),
  keyboard: z.array(z.array(button)).optional(),
  card: button.optional(),
  /** Whose it tells of, and the epoch it was written in (see `epochs`): of somebody forgotten since nothing is told. */
  about: z.object({ who: z.string(), epoch: z.number() }).optional(),
})

/** Which notices an organizer does not want. By the account's keyed hash. */
export const noticeSwitches = document('x', { schema: z.object({ off: z.array(z.enum(NOTICE_KINDS)) }) })

const waiting = notice.extend({
  kind: z.enum(NOTICE_KINDS),
  at: z.number().optional(),
  /** It is told next, with the others that have this: what comes meanwhile changes nothing of that message. */
  isNext: z.literal(true).optional(),
})
export type WaitingNotice = z.infer<typeof waiting>

/** `sent`, `urgent`: when what can wait, and what comes at once, was told lately. */
const noticeBox = z.object({
  sent: z.array(z.number()),
  urgent: z.array(z.number()).default([]),
  waiting: z.array(waiting),
})
export type NoticeBox = z.infer<typeof noticeBox>

/**
 * What an organizer was told lately, and what waits: for the morning, for the others of a crowd, or for the /start of one
 * who cannot be reached. By the account.
 */
export const noticeBoxes = document('z', { schema: noticeBox, expiresAt: expiry.notices })
