import type { UpdateContext } from './update-context.ts'

/** Whether this chat is an organizer's right now; looked at again at every step. */
export const isOrganizer = ({ deps, account }: UpdateContext): boolean =>
  deps.config.organizers.includes(account.chatId)
