import { Composer } from 'grammy'
import { settle, waitingFile } from '../dialog/external-id.ts'
import { type IncomingContext, tappedMessage } from '../dialog/incoming.ts'
import { onButton } from '../participant/on-button.ts'
import { noticeSwitches } from '../storage/documents/notices.ts'
import { buttons } from '../views/buttons.ts'
import { noticesView } from '../views/organizer-notices.ts'

/**
 * `/notices`: which notices this organizer gets; and the buttons of the one about an external id that is taken already,
 * which the participant cannot mend: the organizer says whether to go on without one or with another.
 */
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
  onButton(composer, buttons.extid, async (incoming, _, s, wish) => {
    const { ctx } = incoming
    const file = await waitingFile(ctx, s)
    const isSettled = !file || wish === 'drop'
    // Who is asked for another one may still go on without.
    if (isSettled) await ctx.disarm(tappedMessage(incoming))
    if (isSettled) return settle(ctx, file, [])
    ctx.due = { show: 'aside', aside: { ask: 'external-id', s } }
  })
  return composer
}
