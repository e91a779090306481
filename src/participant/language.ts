import { Composer } from 'grammy'
import { moveAttempt, readAttempt } from '../dialog/attempt.ts'
import type { TurnContext } from '../dialog/context.ts'
import { allFiles, focusedFile } from '../dialog/files.ts'
import { sendText } from '../dialog/notify.ts'
import { buttons } from '../views/buttons.ts'
import { languageView } from '../views/language.ts'
import { onButton } from './on-button.ts'
import { showPlace } from './place.ts'

/** `/language`, at any moment, also in the middle of a question. */
export function language(): Composer<TurnContext> {
  const composer = new Composer<TurnContext>()
  composer.command('language', async (ctx) => {
    await ctx.turn.send(languageView(ctx.turn.deps.texts))
  })
  onButton(composer, buttons.lang, async (ctx, _, chosen) => {
    const { turn } = ctx
    turn.useLanguage(chosen)
    await ctx.toast(turn.t.plain('language-set'))
    await sendText(turn, 'language-set')
    for (const { s } of await allFiles(turn)) {
      const attempt = await readAttempt(turn, s)
      if (attempt) await moveAttempt(turn, s, attempt, { kind: 'language', language: chosen })
    }
    const file = await focusedFile(turn)
    if (file) await showPlace(turn, file)
  })
  return composer
}
