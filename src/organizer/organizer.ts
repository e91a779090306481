import { Composer } from 'grammy'
import { type IncomingContext, tappedMessage } from '../dialog/incoming.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import { onButton } from '../participant/on-button.ts'
import { noticeSwitches } from '../storage/documents/notices.ts'
import { buttons } from '../views/buttons.ts'
import { noticesView } from '../views/organizer-notices.ts'
import { cards } from './card.ts'
import { inviting } from './invite.ts'
import { lists } from './lists.ts'
import { managing } from './manage.ts'
import { releasing } from './release.ts'
import { sendingResults } from './send-result.ts'
import { status } from './status.ts'

/**
 * Commands and buttons of organizers. Who is one is looked up again for each update; anybody else gets the answer
 * to an unknown command or an old button.
 */
export function organizer(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  composer
    .filter(({ ctx }) => isOrganizer(ctx))
    .use(lists(), cards(), inviting(), managing(), releasing(), sendingResults(), notices(), status())
  return composer
}

/** `/notices`: which notices this organizer gets. */
function notices(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  composer.command('notices', async ({ ctx }) => {
    const { off = [] } = (await ctx.work.get(noticeSwitches, ctx.who)) ?? {}
    await ctx.send(noticesView(ctx.t, off))
  })
  onButton(composer, buttons.notice, async (incoming, _, kind, wish) => {
    const { work, who, t } = incoming.ctx
    const { off = [] } = (await work.get(noticeSwitches, who)) ?? {}
    const others = off.filter((each) => each !== kind)
    const left = wish === 'on' ? others : [...others, kind]
    work.put(noticeSwitches, who, { off: left })
    await incoming.ctx.show(tappedMessage(incoming), noticesView(t, left))
  })
  return composer
}
