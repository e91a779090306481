import { Composer } from 'grammy'
import { type TurnContext, tappedMessage } from '../dialog/context.ts'
import { onButton } from '../participant/on-button.ts'
import { noticeSwitches } from '../storage/documents/notices.ts'
import { buttons } from '../views/buttons.ts'
import { noticesView } from '../views/organizer-notices.ts'

/** `/notices`: which notices this organizer gets. */
export function notices(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  composer.command('notices', async ({ turn }) => {
    const { off = [] } = (await turn.work.get(noticeSwitches, turn.who)) ?? {}
    await turn.send(noticesView(turn.t, off))
  })
  onButton(composer, buttons.notice, async (ctx, _, kind, wish) => {
    const { work, who, t } = ctx.turn
    const { off = [] } = (await work.get(noticeSwitches, who)) ?? {}
    const others = off.filter((each) => each !== kind)
    const left = wish === 'on' ? others : [...others, kind]
    work.put(noticeSwitches, who, { off: left })
    await ctx.turn.show(tappedMessage(ctx), noticesView(t, left))
  })
  return composer
}
