import { Composer } from 'grammy'
import type { BotContext } from '../../chat/context.ts'
import { isOrganizer } from '../../chat/organizer.ts'

/**
 * Commands and buttons of organizers. Who is one is looked at anew for each update; anybody else meets what anybody
 * meets for an unknown command or an old button.
 */
export function organizer(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.filter(({ turn }) => isOrganizer(turn)).use()
  return composer
}
