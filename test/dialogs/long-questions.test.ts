import { expect } from 'vitest'
import { defineTest } from '../../tools/sandbox/sandbox.ts'
import { type Meeting, story, word } from './walk.ts'

const LIMIT = 4096
const repeated = (text: string, times: number) => Array.from({ length: times }, () => text).join(' ')

/** A test of two questions, the first of them very long. */
function oddTest(options: number, label: (number: number) => string, question = 'پرسش'): Meeting {
  const odd = defineTest({
    id: 'odd',
    title: 'عجیب',
    about: 'نمونه',
    minutes: 1,
    answers: Array.from({ length: options }, (_, index) => label(index + 1)),
    sections: [
      {
        title: 'یک',
        items: [
          ['one', question],
          ['one', 'دوم'],
        ],
      },
    ],
    scales: { one: { title: 'مقیاس', tone: 'style', low: 'کم', middle: 'میانه', high: 'زیاد' } },
  })
  return { at: 'introduction', sandbox: { tests: [odd] }, record: { testId: 'odd', authRequired: false } }
}

/** The letters alone: it must not matter where a text is cut, and the progress comes in between. */
const lettersOf = (text: string) => text.replace(/پرسش ۱ از ۲[^\n]*|\s/g, '')

const cases: readonly [string, Meeting, string[]][] = [
  [
    'options that fill two messages together',
    oddTest(8, (number) => `${number} ${repeated('بله', 170)}`),
    [repeated('بله', 170)],
  ],
  ['a question of 6,000 letters', oddTest(4, String, repeated('چرا', 1_500)), [repeated('چرا', 1_500)]],
  [
    'options of 5,000 letters each',
    oddTest(2, (number) => `${number} ${repeated('بله', 1_250)}`),
    [`1 ${repeated('بله', 1_250)}`, `2 ${repeated('بله', 1_250)}`],
  ],
  ['a word without an end', oddTest(3, String, 'آ'.repeat(5_000)), ['آ'.repeat(5_000)]],
  [
    'a long text full of signs',
    oddTest(3, (number) => `${number} ${repeated('<3 & 5>', 400)}`),
    [`3 ${repeated('<3 & 5>', 400)}`],
  ],
]

for (const [what, meeting, texts] of cases) {
  story(`${what} are all shown, and can be answered`, async ({ meet }) => {
    const sara = await meet(meeting)
    await sara.taps(/^begin:/)
    expect(sara.place).toBe('question')
    // The buttons are under the last part, with the progress.
    expect(sara.screen).toContain('پرسش ۱ از ۲')
    const said = lettersOf(sara.heard)
    for (const text of texts) expect(said).toContain(lettersOf(text))
    await sara.answers(1)
    await sara.says('۱')
    expect(sara.place).toBe('review')
    expect(sara.screen.length).toBeLessThanOrEqual(LIMIT)
    await sara.taps(/^submit:/)
    expect(sara.submissions).toMatchObject([{ record: { s1: ['q1o2', 'q2o1'] }, accepted: true }])
  })
}

story('the number of an option is typed where there are too many options for buttons', async ({ meet }) => {
  const sara = await meet(oddTest(120, (number) => `گزینهٔ ${number}`))
  await sara.taps(/^begin:/)
  expect(sara.heard).toContain('گزینهٔ 120')
  expect(sara.buttons.filter((data) => data.startsWith('a:'))).toEqual([])
  expect(sara.screen).toContain(word('question-type', { options: 120 }))
  await sara.says('۱۱۷')
  await sara.says('121')
  expect(sara.heard).toContain(word('option-out-of-range', { options: 120 }))
  await sara.says('1')
  await sara.taps(/^submit:/)
  expect(sara.submissions).toMatchObject([{ record: { s1: ['q1o117', 'q2o1'] }, accepted: true }])
})
