import type { Composer } from 'grammy'
import { moveAttempt, readAttempt } from '../dialog/attempt.ts'
import { allFiles, hereAgain } from '../dialog/files.ts'
import { type IncomingContext, onButton, tappedMessage } from '../dialog/incoming.ts'
import { sendText } from '../dialog/send.ts'
import type { UpdateContext } from '../dialog/update-context.ts'
import { buttons } from '../views/buttons.ts'
import { settingsView } from '../views/privacy.ts'
import type { View } from '../views/view.ts'

/** `/settings` and `/language`: the language, large text, the hour of reminders and their end. */
export function settings(composer: Composer<IncomingContext>): void {
  composer.command(['settings', 'language'], async ({ ctx }) => void (await ctx.send(settingsOf(ctx))))
  onButton(composer, buttons.lang, async (incoming, _, language) => {
    const { ctx, toast } = incoming
    ctx.useLanguage(language)
    await toast(ctx.t.plain('language-set'))
    ctx.removeButtons(tappedMessage(incoming))
    await sendText(ctx, 'language-set')
    await restyleTests(ctx)
    await hereAgain(ctx)
  })
  onButton(composer, buttons.large, async (incoming, _, wish) => {
    const { ctx } = incoming
    if (wish === 'on') ctx.account.isLarge = true
    else delete ctx.account.isLarge
    await restyleTests(ctx)
    await showSettings(incoming)
    await hereAgain(ctx)
  })
  onButton(composer, buttons.hour, async (incoming, _, hour) => {
    const { account } = incoming.ctx
    if (hour > 23) return
    if (account.remindHour === hour) delete account.remindHour
    else account.remindHour = hour
    delete account.noReminders
    await showSettings(incoming)
  })
  onButton(composer, buttons.remind, async (incoming, _, wish) => {
    const { ctx } = incoming
    if (wish === 'on') {
      delete ctx.account.noReminders
      return showSettings(incoming)
    }
    ctx.account.noReminders = true
    ctx.removeButtons(tappedMessage(incoming))
    await sendText(ctx, 'reminders-off')
  })
}

function settingsOf({ account, language, deps }: UpdateContext): View {
  const { texts, config } = deps
  return settingsView(texts, { ...account, language, quiet: config.quietHours })
}

/** Shows the new settings on the buttons. */
async function showSettings(incoming: IncomingContext): Promise<void> {
  const { ctx } = incoming
  await incoming.toast(ctx.t.plain('settings-set'))
  await ctx.show(tappedMessage(incoming), settingsOf(ctx))
}

/** Shows open tests in the language and size of the chat from now on. */
async function restyleTests(ctx: UpdateContext): Promise<void> {
  const { language, account } = ctx
  const move = { kind: 'language', language, isLarge: account.isLarge } as const
  for (const { s } of await allFiles(ctx)) {
    const attempt = await readAttempt(ctx, s)
    if (attempt) await moveAttempt(ctx, s, attempt, move)
  }
}
