import { Composer } from 'grammy'
import type { IncomingContext } from '../dialog/incoming.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import { cards } from './card.ts'
import { inviting } from './invite.ts'
import { lists } from './lists.ts'
import { managing } from './manage.ts'
import { notices } from './notices.ts'
import { releasing } from './release.ts'
import { sendingResults } from './send-result.ts'
import { status } from './status.ts'

/**
 * Commands and buttons of organizers. Who is one is looked at anew for each update; anybody else meets what anybody
 * meets for an unknown command or an old button.
 */
export function organizer(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  composer
    .filter(({ ctx }) => isOrganizer(ctx))
    .use(lists(), cards(), inviting(), managing(), releasing(), sendingResults(), notices(), status())
  return composer
}
