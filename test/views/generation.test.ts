import { expect, test } from 'vitest'
import { generatingView, generationSlowView } from '../../src/views/generation.ts'
import { texts, word } from '../words.ts'

const said = (language: 'fa' | 'en', expectedMinutes?: string) =>
  generatingView(texts.for(language), { expectedMinutes, resultTo: 'participant' }).text

test.each(['5-10', '5 - 10', '5–10', '5—10', '5 to 10', '۵ تا ۱۰', '5-10 minutes', ' ۵–۱۰ دقیقه '])(
  'a range of minutes written as "%s" is written in the words and digits of the language',
  (minutes) => {
    expect(said('fa', minutes)).toContain('معمولاً حدود ۵ تا ۱۰ دقیقه طول می‌کشد')
    expect(said('en', minutes)).toContain('It usually takes 5 to 10 minutes.')
  },
)

test.each(['10', '۱۰', '10 min'])('a number of minutes written as "%s" is written so, too', (minutes) => {
  expect(said('fa', minutes)).toContain('معمولاً حدود ۱۰ دقیقه طول می‌کشد')
  expect(said('en', minutes)).toContain('It usually takes about 10 minutes.')
})

test('one minute is singular', () => expect(said('en', '1')).toContain('takes about 1 minute.'))

test.each([undefined, '', 'a while', '2 hours', '5-10-15', '-5'])('nothing is read from "%s"', (minutes) => {
  for (const language of ['fa', 'en'] as const) expect(said(language, minutes)).toBe(said(language, '5-10'))
})

test('the views say who gets the report', () => {
  const t = texts.for('fa')
  for (const resultTo of ['participant', 'both', 'organizer'] as const)
    for (const { text } of [generatingView(t, { resultTo }), generationSlowView(t, resultTo)]) {
      expect(text.includes(word('report-goes-here'))).toBe(resultTo !== 'organizer')
      expect(text.includes(word('report-goes-organizer'))).toBe(resultTo === 'organizer')
    }
})
