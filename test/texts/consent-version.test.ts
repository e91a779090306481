import { expect, test } from 'vitest'
import { CONSENT_VERSION, type TextKey } from '../../src/texts/keys.ts'
import { LANGUAGE_CODES } from '../../src/texts/languages.ts'
import { readLocale, type Translate } from '../../src/texts/texts.ts'
import { handOverView } from '../../src/views/hand-over.ts'
import {
  introductionView,
  roadmapIntroductionView,
  roleIntroductionView,
} from '../../src/views/introduction.ts'
import { guardianView, participantGuardianView } from '../../src/views/profile.ts'
import { consentVersion, isOfConsent } from '../../tools/texts/consent-version.ts'
import { readEntries } from '../../tools/texts/entries.ts'
import { texts } from '../words.ts'

const sources = LANGUAGE_CODES.map(readLocale)

/** A file with changed words in some texts. */
const changed = (source: string, isChanged: (key: string) => boolean) =>
  source.replace(/^([a-z][\w-]*) = .+$/gm, (line, key) => (isChanged(key) ? `${line}!` : line))

test('the stored version is that of the present words', () => {
  expect(CONSENT_VERSION).toBe(consentVersion(sources))
})

test('any change of the words that people consent to changes the version, in each language', () => {
  const keys = readEntries(sources[0] ?? '').map(({ key }) => key)
  const single = keys.filter((key) => new RegExp(`^${key} = .`, 'm').test(sources[0] ?? ''))
  const consented = single.filter(isOfConsent)
  expect(consented.length).toBeGreaterThan(15)
  sources.forEach((source, language) => {
    const versionWith = (isChanged: (key: string) => boolean) =>
      consentVersion(sources.with(language, changed(source, isChanged)))
    for (const key of consented)
      expect([key, versionWith((each) => each === key)]).not.toEqual([key, CONSENT_VERSION])
    expect(versionWith((key) => !isOfConsent(key))).toBe(CONSENT_VERSION)
  })
})

test('every text that is shown before consent counts', () => {
  const said = new Set<TextKey>()
  const t = recording(said)
  for (const resultTo of ['participant', 'organizer', 'both'] as const)
    for (const allowBack of [true, false]) {
      const terms = { welcomeText: 'w', resultTo, retentionDays: 30, allowBack, s: 's' }
      const limits = [
        { minAge: 18, maxAge: 65, gender: 'male' },
        { minAge: 18, maxAge: null, gender: 'female' },
        { minAge: null, maxAge: 65, gender: 'both' },
      ] as const
      for (const each of limits)
        introductionView(t, { ...terms, test: { title: 't', questions: 5, minutes: 5, limits: each } })
      const roles = ['one', 'two'].map((title) => ({ title, tests: ['t'] }))
      roadmapIntroductionView(t, { ...terms, title: 't', roles })
      roleIntroductionView(t, { ...terms, title: 't', role: 'r', tests: ['t'] })
      handOverView(t, { s: 's', role: 'r', name: 'n', test: 't', consent: resultTo })
    }
  guardianView(t, { name: 'n', limits: { minAge: null, maxAge: null, gender: 'both' } })
  participantGuardianView(t)
  expect(said.size).toBeGreaterThan(20)
  expect([...said].filter((key) => !isOfConsent(key))).toEqual([])
})

/** Renders texts and records their keys. */
function recording(said: Set<TextKey>): Translate {
  const english = texts.for('en')
  const note =
    (say: (key: never, values: never) => string) =>
    (key: TextKey, values?: unknown): string => {
      said.add(key)
      return say(key as never, values as never)
    }
  return Object.assign(note(english), { plain: note(english.plain), language: english.language })
}
