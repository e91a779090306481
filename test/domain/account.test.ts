import { expect, test } from 'vitest'
import { languageOf } from '../../src/domain/account.ts'

test.each([
  ['en', 'fa', 'en'],
  [undefined, 'en', 'en'],
  [undefined, undefined, 'fa'],
] as const)('with the language %s, in a Telegram in %s, a chat is in %s', (language, appLanguage, read) => {
  expect(languageOf({ language, appLanguage }, { locale: 'fa' })).toBe(read)
  expect(languageOf(undefined, { locale: 'en' })).toBe('en')
})
