import { Composer } from 'grammy'
import { type IncomingContext, tappedMessage } from '../dialog/incoming.ts'
import { onButton } from '../participant/on-button.ts'
import { noticeSwitches } from '../storage/documents/notices.ts'
import { buttons } from '../views/buttons.ts'
import { noticesView } from '../views/organizer-notices.ts'

/** `/notices`: which notices this organizer gets. */
export function notices(): Composer<IncomingContext> {
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
