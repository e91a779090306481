import { expect, test } from 'vitest'
import { LANGUAGE_CODES } from '../../src/texts/languages.ts'
import { askingView, briefOption, headingOf, optionsOf, questionView } from '../../src/views/question.ts'
import { texts } from '../words.ts'

const options = ['هرگز', 'گاهی', 'همیشه'].map((label, value) => ({ label, value: String(value) }))
const placed = { question: { id: 'q', text: 'گرم است؟', options } } as never
const shown = { s: 's', placed, position: 1, total: 9, revision: 1, answered: 1, allowBack: true }

test.each(LANGUAGE_CODES)('in %s no phone cuts off the navigation buttons below a question', (language) => {
  const { keyboard = [] } = questionView(texts.for(language), shown)
  // On 360 pixels a third of a row fits about twelve letters, a half about twenty.
  for (const row of keyboard) for (const { text } of row) expect(text.length * row.length).toBeLessThan(42)
})

test('two tests whose titles begin alike have different headings', () => {
  const of = (part: string) =>
    headingOf({
      test: { title: `پرسش‌نامهٔ پنج عاملی شخصیت نئو، فرم بلند، بخش ${part}` },
      state: { stage: 'board' },
    } as never)
  expect(of('یکم')).not.toBe(of('دوم'))
})

const asked = (labels: readonly string[], chosen?: number) => {
  const options = labels.map((label, value) => ({ label, id: String(value) }))
  const question = { id: 'q', text: 'چقدر؟', options }
  const view = questionView(texts.for('fa'), { ...shown, placed: { question }, chosen })
  const answers = (view.keyboard ?? [])
    .flat()
    .filter((each) => 'callback_data' in each && /^a:/.test(each.callback_data))
  return { question, text: view.text, answers: answers.map(({ text }) => text) }
}
const long = (words: string) => `${words} ${'همان‌طور که بود '.repeat(3)}`.trim()

test.each([
  [
    ['هرگز', 'گاهی'],
    ['۱. هرگز', '۲. گاهی'],
  ],
  [
    ['۱', '۲'],
    ['۱. ۱', '۲. ۲'],
  ],
  [
    ['هرگز', '۱', '۲'],
    ['هرگز', '۱', '۲'],
  ],
  [
    ['۰', '۱', '۲ یا بیشتر'],
    ['۰', '۱', '۲ یا بیشتر'],
  ],
  [
    ['۰: هرگز', '۱: گاهی'],
    ['۰: هرگز', '۱: گاهی'],
  ],
  [
    ['-1', '0', '+1'],
    ['\u200e-1\u200e', '0', '\u200e+1\u200e'],
  ],
])('the options %j have the buttons %j', (labels, buttons) => {
  expect(asked(labels).answers.toSorted()).toEqual(buttons.toSorted())
})

test('long labels with their own numbers are in the text without ours, and shortened on the buttons', () => {
  const labels = [long('۰: هرگز'), long('۱: گاهی')]
  const { text, answers } = asked(labels, 1)
  expect(text).toContain(`\n\n${labels[0]}\n\n${labels[1]}\n\nپاسخ فعلی شما: ${labels[1]}`)
  expect(answers).toEqual([expect.stringMatching(/^۰: هرگز .*…$/), expect.stringMatching(/^✓ ۱: گاهی .*…$/)])
  expect(asked([long('هرگز'), long('گاهی')]).answers).toEqual(['۲', '۱'])
})

test('with too many options the person types an option’s own number', () => {
  const { text, answers } = asked(Array.from({ length: 95 }, (_, index) => String(index)))
  expect(answers).toEqual([])
  expect(text).toMatch(/94\n\nلطفاً عدد گزینه را همان‌طور که بالا آمده است بنویسید\.$/)
})

test('a single option has no second number either', () => {
  const t = texts.for('fa')
  const { question } = asked(['۰', '۱'])
  const { text, keyboard } = askingView(t, { s: 's', position: 0, revision: 1, question, option: 1 })
  expect(text).toContain('«۱؟»')
  expect(keyboard?.[0]?.[0]?.text).toBe('۱')
  const named = (labels: string[]) =>
    optionsOf(asked(labels).question).map((option) => briefOption(t, option))
  expect(named(['۰: <کم>', '۱: زیاد'])).toEqual(['۰: &lt;کم&gt;', '۱: زیاد'])
  expect(named(['کم', 'زیاد'])).toEqual(['\u200f۱', '\u200f۲'])
})

test('two buttons of long options never read alike', () => {
  const { answers } = asked([
    '۰',
    'تعداد آن را به یاد ندارم چون مدت زیادی از آن می‌گذرد',
    'تعداد آن را به یاد ندارم چون مدت کوتاهی است',
  ])
  expect(new Set(answers).size).toBe(3)
})
