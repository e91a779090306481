import type { Context, LazySessionFlavor } from 'grammy'
import { z } from 'zod'
import { listing } from './listing.ts'
import type { Turn } from './turn.ts'

/** What an organizer has open. It may be lost: whoever misses it asks once more. */
export const organizerSession = z.object({
  /** An organizer is asked for another external id of this record. */
  asksExternalId: z.string().optional(),
  /** Lines for invitations are waited for. */
  asksLines: z.literal(true).optional(),
  /** The newest last. */
  listings: z.array(listing).optional(),
})
export type OrganizerSession = z.infer<typeof organizerSession>

/** grammY's context of one update, with the turn that handles it. */
export type TurnContext = Context & {
  turn: Turn
  /** Answers the tap with a toast or an alert; a tap that nobody answers is acknowledged at the end. */
  toast(text: string, alert?: boolean): Promise<void>
}

/** The same, with what an organizer has open. */
export type BotContext = TurnContext & LazySessionFlavor<OrganizerSession>

/** The message under the button that was tapped. */
export const tappedMessage = (ctx: Context): number | undefined => ctx.callbackQuery?.message?.message_id
