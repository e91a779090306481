import type { Composer } from 'grammy'
import { isMine } from '../dialog/access.ts'
import { readAttempt } from '../dialog/attempt.ts'
import { focusedFile } from '../dialog/files.ts'
import type { IncomingContext } from '../dialog/incoming.ts'
import { replaceNotice } from '../dialog/send.ts'
import { hasWritten, leaveDraft } from '../dialog/typed-messages.ts'
import { leaveAsked } from '../dialog/update-context.ts'
import { isIn } from '../domain/record/record.ts'
import { pause } from './questionnaire.ts'

/** `/cancel`: leaves the record in focus; a test is paused, a draft asks what becomes of it. */
export function cancel(composer: Composer<IncomingContext>): void {
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
