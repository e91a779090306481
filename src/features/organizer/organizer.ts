import { Composer } from 'grammy'
import type { BotContext } from '../../chat/context.ts'
import { isOrganizer } from '../../chat/organizer.ts'
import { batchInvitations } from './batch.ts'
import { cards } from './card.ts'
import { inviting } from './invite.ts'
import { lists } from './lists.ts'
import { managing } from './manage.ts'
import { notices } from './notices.ts'
import { releasing } from './release.ts'
import { sendingResults } from './send-result.ts'

/**
 * Commands and buttons of organizers. Who is one is looked at anew for each update; anybody else meets what anybody
 * meets for an unknown command or an old button.
 */
export function organizer(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer
    .filter(({ turn }) => isOrganizer(turn))
    .use(
      batchInvitations(),
      lists(),
      cards(),
      inviting(),
      managing(),
      releasing(),
      sendingResults(),
      notices(),
    )
  return composer
}
