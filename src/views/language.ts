import type { Texts } from '../texts/texts.ts'
import { button, type View } from './view.ts'

/** Both languages, each in its own words. */
export function languageView(texts: Texts): View {
  const [fa, en] = [texts.for('fa'), texts.for('en')]
  return {
    text: `${fa('language-ask')}\n\n${en('language-ask')}`,
    keyboard: [
      [button(fa.plain('language-name'), 'lang:fa')],
      [button(en.plain('language-name'), 'lang:en')],
    ],
  }
}
