import { expect, test } from 'vitest'
import { LANGUAGE_CODES } from '../../src/texts/languages.ts'
import { loadTexts, plain, readLocale } from '../../src/texts/texts.ts'
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

test('/privacy is four bullets', () => {
  const found = texts.filter(({ key }) => key === 'privacy')
  expect(found.map(({ text }) => text.match(/^•/gm)?.length)).toEqual(found.map(() => 4))
})
