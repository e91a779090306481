import { Composer } from 'grammy'
import { readAttempt } from '../dialog/attempt.ts'
import { type TurnContext, tappedMessage } from '../dialog/context.ts'
import { focusedFile } from '../dialog/files.ts'
import { sendText } from '../dialog/notify.ts'
import { isOrganizer } from '../dialog/organizer.ts'
import { leaveDraft } from '../dialog/typed.ts'
import { isIn } from '../domain/record/record.ts'
import { buttons } from '../views/buttons.ts'
import { privacyView } from '../views/privacy.ts'
import { onButton } from './on-button.ts'
import { pause } from './questionnaire.ts'

/** `/help`, `/privacy`, `/cancel`, and no more reminders. */
export function information(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  composer.command('help', async ({ turn }) => {
    const { organizerName, organizerContact } = turn.deps.config
    const help = turn.t('help', { organizer: organizerName, contact: organizerContact })
    await turn.send({ text: isOrganizer(turn) ? `${help}\n\n${turn.t('help-organizer')}` : help })
  })
  composer.command('privacy', async ({ turn }) => {
    await turn.send(privacyView(turn.t, turn.deps.config))
  })
  composer.command('cancel', async ({ turn }) => {
    const file = await focusedFile(turn)
    if (!file) return sendText(turn, 'cancel-nothing')
    if (isIn(file, 'questions') && (await readAttempt(turn, file.s))) await pause(turn, file, undefined)
    if (turn.account.asked !== undefined) await turn.disarm(turn.account.asked)
    delete turn.account.asked
    await leaveDraft(turn)
    delete turn.account.focus
    await sendText(turn, 'cancelled')
  })
  onButton(composer, buttons.remind, async (ctx, _next, _off) => {
    const { turn } = ctx
    turn.account.noReminders = true
    const reminder = tappedMessage(ctx)
    if (reminder !== undefined) await turn.disarm(reminder)
    await sendText(turn, 'reminders-off')
  })
  return composer
}
