import { expect, test } from 'vitest'
import { LANGUAGE_CODES } from '../../src/texts/languages.ts'
import { loadTexts, plain, readLocale } from '../../src/texts/texts.ts'
import { codeView } from '../../src/views/code.ts'
import { forgetView } from '../../src/views/privacy.ts'
import { readEntries } from '../../tools/texts/entries.ts'

const MOST_IN_A_SENTENCE = 25
const MOST_IN_A_MESSAGE = 60
const most = (key: string) => ({ privacy: 110, help: 45 })[key] ?? MOST_IN_A_MESSAGE

const wordsIn = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
const sentencesOf = (text: string) => text.split(/[.!?\u061f](?=\s|$)|\n/u)

const texts = LANGUAGE_CODES.flatMap((language) => {
  const say = loadTexts().for(language) as unknown as (key: string, variables: object) => string
  return readEntries(readLocale(language)).map(({ key, variables }) => {
    const filled = [...variables].map(([name, kind]) => [
      name,
      kind === 'Date' ? new Date(0) : kind === 'number' ? 5 : 'x',
    ])
    return { language, key, text: plain(say(key, Object.fromEntries(filled))) }
  })
})

test('no message and no sentence is too long to be read', () => {
  const tooLong = texts.flatMap(({ language, key, text }) => {
    const longest = Math.max(...sentencesOf(text).map(wordsIn))
    const isTooLong = wordsIn(text) > most(key) || longest > MOST_IN_A_SENTENCE
    return isTooLong ? [`${language} ${key}: ${wordsIn(text)} words, ${longest} in a sentence`] : []
  })
  expect(tooLong).toEqual([])
})

test('no question of several paragraphs is too long to be read', () => {
  const kept = { hasDetails: true, profiles: 1, attempts: 2, finished: 3, links: 4, unsent: [] }
  const code = { mobile: '09123456789', minutes: 5, isHelp: true }
  const lengths = LANGUAGE_CODES.flatMap((language) => {
    const t = loadTexts({ organizerName: 'کلینیک آرامش', organizerContact: '@sanjesh' }).for(language)
    const views = [forgetView(t, kept), ...[true, false].map((isAgain) => codeView(t, { ...code, isAgain }))]
    return views.map(({ text }) => wordsIn(plain(text)))
  })
  expect(lengths.filter((words) => words > MOST_IN_A_MESSAGE)).toEqual([])
})

test('/privacy is four bullets', () => {
  const found = texts.filter(({ key }) => key === 'privacy')
  expect(found.map(({ text }) => text.match(/^•/gm)?.length)).toEqual(found.map(() => 4))
})
