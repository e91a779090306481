import type { Turn } from './turn.ts'

/** Whether this chat is an organizer's right now; looked at again at every step. */
export const isOrganizer = ({ deps, account }: Turn): boolean =>
  deps.config.organizers.includes(account.chatId)
