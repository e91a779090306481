import type { Composer } from 'grammy'
import type { IncomingContext } from '../dialog/incoming.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import { sendText } from '../dialog/send.ts'
import { privacyView } from '../views/privacy.ts'
import { paragraphs } from '../views/view.ts'

/** `/help`, `/id` and `/privacy`. */
export function help(composer: Composer<IncomingContext>): void {
  composer.command('help', async ({ ctx }) => {
    await ctx.send({ text: paragraphs(ctx.t('help'), isOrganizer(ctx) && ctx.t('help-organizer')) })
  })
  composer.command('id', ({ ctx }) => sendText(ctx, 'own-id', { id: String(ctx.account.chatId) }))
  composer.command('privacy', ({ ctx }) => ctx.send(privacyView(ctx.t, ctx.deps.config)))
}
