import type { UpdateContext } from './update-context.ts'

/** Whether this chat is an organizer's right now; looked at again at every step. */
export const isOrganizer = ({ deps, account }: UpdateContext): boolean =>
  deps.config.organizers.includes(account.chatId)

/** Whether this chat is that of an organizer who gets results, releases, and sees exports and the audit. */
export const mayDecide = (ctx: UpdateContext): boolean =>
  isOrganizer(ctx) && !ctx.deps.config.desk.includes(ctx.account.chatId)
