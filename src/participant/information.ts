import type { Composer } from 'grammy'
import { moveAttempt, readAttempt } from '../dialog/attempt.ts'
import { allFiles, focusedFile, hereAgain } from '../dialog/files.ts'
import { type IncomingContext, onButton, tappedMessage } from '../dialog/incoming.ts'
import { sendText } from '../dialog/notify.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import { leaveDraft } from '../dialog/typed.ts'
import { leaveAsked } from '../dialog/update-context.ts'
import { isIn } from '../domain/record/record.ts'
import { buttons } from '../views/buttons.ts'
import { languageView, privacyView } from '../views/privacy.ts'
import { pause } from './questionnaire.ts'

/** `/help`, `/privacy`, `/cancel`, and no more reminders; `/language` at any moment, also in the middle of a question. */
export function information(composer: Composer<IncomingContext>): void {
  composer.command('language', ({ ctx }) => ctx.send(languageView(ctx.deps.texts)))
  onButton(composer, buttons.lang, async ({ ctx, toast }, _, language) => {
    ctx.useLanguage(language)
    await toast(ctx.t.plain('language-set'))
    await sendText(ctx, 'language-set')
    for (const { s } of await allFiles(ctx)) {
      const attempt = await readAttempt(ctx, s)
      if (attempt) await moveAttempt(ctx, s, attempt, { kind: 'language', language })
    }
    await hereAgain(ctx)
  })
  composer.command('help', async ({ ctx }) => {
    const { organizerName, organizerContact } = ctx.deps.config
    const help = ctx.t('help', { organizer: organizerName, contact: organizerContact })
    await ctx.send({ text: isOrganizer(ctx) ? `${help}\n\n${ctx.t('help-organizer')}` : help })
  })
  composer.command('id', ({ ctx }) => sendText(ctx, 'own-id', { id: String(ctx.account.chatId) }))
  composer.command('privacy', ({ ctx }) => ctx.send(privacyView(ctx.t, ctx.deps.config)))
  composer.command('cancel', async ({ ctx }) => {
    const file = await focusedFile(ctx)
    if (!file) return sendText(ctx, 'cancel-nothing')
    await leaveAsked(ctx)
    if (isIn(file, 'questions') && (await readAttempt(ctx, file.s))) await pause(ctx, file)
    else if (file.typed?.length && isIn(file, 'profile', 'code'))
      await leaveDraft(ctx, undefined, 'cancelled')
    else await sendText(ctx, 'left-aside')
    delete ctx.account.focus
  })
  onButton(composer, buttons.remind, async (incoming, _next, _off) => {
    const { ctx } = incoming
    ctx.account.noReminders = true
    await ctx.disarm(tappedMessage(incoming))
    await sendText(ctx, 'reminders-off')
  })
}
