import { Composer } from 'grammy'
import { allFiles, focusedFile } from '../dialog/files.ts'
import { showPlace } from '../dialog/place.ts'
import { tell } from '../dialog/say.ts'
import { moveSitting, readSitting } from '../dialog/show-question.ts'
import type { Language } from '../texts/texts.ts'
import { languageView } from '../views/language.ts'
import type { BotContext } from './context.ts'

/** `/language`, at any moment, also in the middle of a question. */
export function language(): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  composer.command('language', async (ctx) => {
    await ctx.turn.say(languageView(ctx.turn.deps.texts))
  })
  composer.callbackQuery(/^lang:(fa|en)$/, async (ctx) => {
    const { turn } = ctx
    turn.useLanguage(ctx.match[1] as Language)
    await ctx.toast(turn.t.plain('language-set'))
    await tell(turn, 'language-set')
    for (const { s } of await allFiles(turn)) {
      const sitting = await readSitting(turn, s)
      if (sitting) await moveSitting(turn, s, sitting, { kind: 'language', language: turn.language })
    }
    const file = await focusedFile(turn)
    if (file) await showPlace(turn, file)
  })
  return composer
}
