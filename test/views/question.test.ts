import { expect, test } from 'vitest'
import { LANGUAGE_CODES } from '../../src/texts/languages.ts'
import { headingOf, questionView } from '../../src/views/question.ts'
import { texts } from '../words.ts'

const options = ['هرگز', 'گاهی', 'همیشه'].map((label, value) => ({ label, value: String(value) }))
const placed = { question: { id: 'q', text: 'گرم است؟', options } } as never
const shown = { s: 's', placed, position: 1, total: 9, revision: 1, answered: 1, allowBack: true }

test.each(LANGUAGE_CODES)('in %s no phone cuts off the ways on below a question', (language) => {
  const { keyboard = [] } = questionView(texts.for(language), shown)
  // On 360 pixels a third of a row has room for some twelve letters, a half for some twenty.
  for (const row of keyboard) for (const { text } of row) expect(text.length * row.length).toBeLessThan(42)
})

test('two tests whose titles begin alike stand under two headings', () => {
  const of = (part: string) =>
    headingOf({
      test: { title: `پرسش‌نامهٔ پنج عاملی شخصیت نئو، فرم بلند، بخش ${part}` },
      state: { stage: 'board' },
    } as never)
  expect(of('یکم')).not.toBe(of('دوم'))
})
