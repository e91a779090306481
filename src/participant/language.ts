import { Composer } from 'grammy'
import { moveAttempt, readAttempt } from '../dialog/attempt.ts'
import { allFiles, focusedFile } from '../dialog/files.ts'
import type { IncomingContext } from '../dialog/incoming.ts'
import { sendText } from '../dialog/notify.ts'
import { buttons } from '../views/buttons.ts'
import { languageView } from '../views/language.ts'
import { onButton } from './on-button.ts'
import { showPlace } from './place.ts'

/** `/language`, at any moment, also in the middle of a question. */
export function language(): Composer<IncomingContext> {
  const composer = new Composer<IncomingContext>()
  composer.command('language', async (incoming) => {
    await incoming.ctx.send(languageView(incoming.ctx.deps.texts))
  })
  onButton(composer, buttons.lang, async (incoming, _, chosen) => {
    const { ctx } = incoming
    ctx.useLanguage(chosen)
    await incoming.toast(ctx.t.plain('language-set'))
    await sendText(ctx, 'language-set')
    for (const { s } of await allFiles(ctx)) {
      const attempt = await readAttempt(ctx, s)
      if (attempt) await moveAttempt(ctx, s, attempt, { kind: 'language', language: chosen })
    }
    const file = await focusedFile(ctx)
    if (file) await showPlace(ctx, file)
  })
  return composer
}
