import { Composer } from 'grammy'
import { readAttempt } from '../dialog/attempt.ts'
import { focusedFile } from '../dialog/files.ts'
import { type IncomingContext, tappedMessage } from '../dialog/incoming.ts'
import { sendText } from '../dialog/notify.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import { leaveDraft } from '../dialog/typed.ts'
import { isIn } from '../domain/record/record.ts'
import { buttons } from '../views/buttons.ts'
import { privacyView } from '../views/privacy.ts'
import { onButton } from './on-button.ts'
import { pause } from './questionnaire.ts'

/** `/help`, `/privacy`, `/cancel`, and no more reminders. */
export function information(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  composer.command('help', async ({ ctx }) => {
    const { organizerName, organizerContact } = ctx.deps.config
    const help = ctx.t('help', { organizer: organizerName, contact: organizerContact })
    await ctx.send({ text: isOrganizer(ctx) ? `${help}\n\n${ctx.t('help-organizer')}` : help })
  })
  composer.command('privacy', async ({ ctx }) => {
    await ctx.send(privacyView(ctx.t, ctx.deps.config))
  })
  composer.command('cancel', async ({ ctx }) => {
    const file = await focusedFile(ctx)
    if (!file) return sendText(ctx, 'cancel-nothing')
    if (isIn(file, 'questions') && (await readAttempt(ctx, file.s))) await pause(ctx, file, undefined)
    if (ctx.account.asked !== undefined) await ctx.disarm(ctx.account.asked)
    delete ctx.account.asked
    await leaveDraft(ctx)
    delete ctx.account.focus
    await sendText(ctx, 'cancelled')
  })
  onButton(composer, buttons.remind, async (incoming, _next, _off) => {
    const { ctx } = incoming
    ctx.account.noReminders = true
    const reminder = tappedMessage(incoming)
    if (reminder !== undefined) await ctx.disarm(reminder)
    await sendText(ctx, 'reminders-off')
  })
  return composer
}
