import type { Composer } from 'grammy'
import { isMine } from '../dialog/access.ts'
import { readAttempt } from '../dialog/attempt.ts'
import { focusedFile } from '../dialog/files.ts'
import type { IncomingContext } from '../dialog/incoming.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import { replaceNotice, sendText } from '../dialog/send.ts'
import { hasWritten, leaveDraft } from '../dialog/typed-messages.ts'
import { leaveAsked } from '../dialog/update-context.ts'
import { isIn } from '../domain/record/record.ts'
import { privacyView } from '../views/privacy.ts'
import { pause } from './questionnaire.ts'

/** `/help`, `/id`, `/privacy` and `/cancel`. */
export function information(composer: Composer<IncomingContext>): void {
  composer.command('help', async ({ ctx }) => {
    const help = ctx.t('help')
    await ctx.send({ text: isOrganizer(ctx) ? `${help}\n\n${ctx.t('help-organizer')}` : help })
  })
  composer.command('id', ({ ctx }) => sendText(ctx, 'own-id', { id: String(ctx.account.chatId) }))
  composer.command('privacy', ({ ctx }) => ctx.send(privacyView(ctx.t, ctx.deps.config)))
  composer.command('cancel', async ({ ctx }) => {
    const file = await focusedFile(ctx)
    // A submitted or finished record cannot be cancelled.
    if (!file || isIn(file, 'submitting', 'refused', 'generating', 'scored', 'done', 'elsewhere'))
      return replaceNotice(ctx, { text: ctx.t('cancel-nothing') })
    leaveAsked(ctx)
    if (isIn(file, 'questions') && (await readAttempt(ctx, file.s))) await pause(ctx, file)
    else if (hasWritten(ctx, file) && isIn(file, 'profile', 'code') && (await isMine(ctx, file)))
      await leaveDraft(ctx, undefined, 'cancelled')
    else await replaceNotice(ctx, { text: ctx.t('left-aside') })
    delete ctx.account.focus
  })
}
