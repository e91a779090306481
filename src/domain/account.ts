/** What is kept about one Telegram account, beside the files of what it has begun. */
export type Account = {
  chatId: number
  language?: 'fa' | 'en'
  /** The language of this person's Telegram is not the bot's default one. */
  isForeign?: true
  /** The record or roadmap that the chat is about now. */
  focus?: string
  /** Everything this account has opened, the newest last. */
  items: string[]
  /** The message that asked last: buttons of a dialog count only there. */
  asked?: number
  /** The message that shows the questionnaire, the board, or that it is not open yet, by `S`. */
  screens: Record<string, number>
  /** A keyboard for sharing the own number is under the input. */
  contactKeyboard?: true
  /** Calls to the service whose outcome has not come yet, by `S`. */
  pending: Record<string, PendingCall>
  /** Invitations to a role of somebody's roadmap that were opened: the code, by the roadmap's `S`. */
  invited?: Record<string, string>
  /** The newest message of the chat: what stands above it has scrolled away. */
  latest?: number
  /** When a questionnaire was last shown anew: taps since then may have gone on with another one. */
  shownAt?: number
  /** About when the participant was last here. */
  activeAt?: number
  /** The participant wants no reminders. */
  noReminders?: true
  /** An organizer is asked for another external id of this record. */
  asksExternalId?: string
  /** The message that asked whether everything is to be deleted: a forged button elsewhere deletes nothing. */
  asksForget?: number
  blocked?: true
}

export type PendingCall = { id: string; kind: string; at: number }

export const newAccount = (chatId: number): Account => ({ chatId, items: [], screens: {}, pending: {} })
