import { LANGUAGE_CODES } from '../texts/languages.ts'
import type { Texts } from '../texts/texts.ts'
import { buttons } from './buttons.ts'
import { button, type View } from './view.ts'

/** Every language, each in its own words. */
export function languageView(texts: Texts): View {
  const translates = LANGUAGE_CODES.map((language) => texts.for(language))
  return {
    text: translates.map((t) => t('language-ask')).join('\n\n'),
    keyboard: translates.map((t) => [button(t.plain('language-name'), buttons.lang.data(t.language))]),
  }
}
