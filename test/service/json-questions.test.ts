import { expect, test } from 'vitest'
import { ServiceError } from '../../src/service/errors.ts'
import { createPictureFetcher, isPicture } from '../../src/service/pictures.ts'
import { readQuestions } from '../../src/service/questionnaire-wire.ts'

const options = [
  { id: 'a', label: 'یک' },
  { id: 'b', label: 'دو' },
]
const one = (changes: object) => ({ questions: [{ id: 'q', text: 'متن', options, ...changes }] })

test.each<[object, object]>([
  [{ type: 'radio' }, {}],
  [{ type: 'single_choice' }, {}],
  [{ type: 'Likert' }, {}],
  [{ instruction: 'الف', hint: 'ب' }, { note: 'الف\nب' }],
  [{ title: 'سرصفحه' }, { note: 'سرصفحه' }],
  [{ text: 'الف <b>ب</b> &amp; پ' }, { text: 'الف ب & پ' }],
  [{ text: 'اگر a < b' }, { text: 'اگر a < b' }],
  [{ text: 'اگر x<y و y>z' }, { text: 'اگر x<y و y>z' }],
  [{ text: 'a<b and c>d' }, { text: 'a<b and c>d' }],
  [{ text: '<o:p>الف</o:p>' }, { text: 'الف' }],
  [{ text: 'الف<hr noshade>ب' }, { text: 'الف\nب' }],
  [
    { text: 'الف<img alt="x<y" src="https://e.org/1.png">' },
    { text: 'الف', pictures: ['https://e.org/1.png'] },
  ],
  [{ text: `<a ${'='.repeat(100_000)}` }, { text: `<a ${'='.repeat(100_000)}` }],
  [{ text: '<p>الف</p><p>ب</p>' }, { text: 'الف\nب' }],
  [{ text: 'الف<img src="https://e.org/1.png">' }, { text: 'الف', pictures: ['https://e.org/1.png'] }],
  [{ image: 'https://e.org/1.png' }, { pictures: ['https://e.org/1.png'] }],
  [{ images: [{ url: 'https://e.org/1.png' }, 'x'] }, { pictures: ['https://e.org/1.png', 'x'] }],
  [{ image: null, video: '', multiple: false, max_choices: 1 }, {}],
  // Fields outside of the specification change nothing.
  [{ choices_count: 2, max_choices: 3, multiple: 1 }, {}],
  [{ type: 'agreement', kind: 'item', widget: 'hologram' }, {}],
  [{ type: 'multiple_choice', question_type: 'number' }, {}],
  [{ type: 3, input_type: { name: 'tap' }, answer_type: null }, {}],
  [{ file: {}, attachment: [{}], video: 'https://e.org/a.mp4' }, {}],
  [{ hint: 'ببینید <iframe src="x"></iframe>' }, { note: 'ببینید' }],
  [
    { options: [{ id: 1, image: 'https://e.org/1.png' }] },
    { options: [{ id: '1', label: '🖼', picture: 'https://e.org/1.png' }] },
  ],
])('%j is shown', (changes, shown) => {
  const [section] = readQuestions(one(changes)).sections
  expect(section?.questions).toEqual([{ id: 'q', text: 'متن', options, ...shown }])
})

test.each<[object, string]>([
  [{ type: 'checkbox' }, 'several'],
  [{ multiple: true }, 'several'],
  [{ allow_multiple: 'true' }, 'several'],
  [{ input_type: 'Multi-Select' }, 'several'],
  [{ type: 'ranking' }, 'several'],
  [{ type: 'text' }, 'free-text'],
  [{ question_type: 'free_text' }, 'free-text'],
  [{ type: 'textarea', options: [] }, 'free-text'],
  [{ options: [] }, 'no-options'],
  [{ text: '' }, 'no-text'],
  [{ options: [{ id: 'a' }] }, 'no-label'],
  [{ options: [{ id: 'a', label: '\u200b\u200f\u200c' }] }, 'no-label'],
  [{ options: [{ id: 'a', label: '<b>\u200b</b>' }] }, 'no-label'],
  [{ options: [{ label: 'یک' }] }, 'no-value'],
  // JavaScript would read it as another number.
  [{ id: 2 ** 60 }, 'no-value'],
  [{ options: [{ id: 2 ** 60, label: 'یک' }] }, 'no-value'],
  [{ text: 'ببینید <iframe src="x"></iframe>' }, 'media'],
])('%j is refused', (changes, why) => {
  const broken = [{ id: 'p', text: 'متن', options }, ...one(changes).questions]
  try {
    readQuestions({ questions: broken })
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError)
    expect((error as ServiceError).unshown).toEqual({ why, question: 2 })
  }
})

test('the texts of the whole and of empty sections go before the first question after them', () => {
  const data = {
    description: 'کل',
    sections: [
      { id: 1, title: 'راهنما', text: 'خوانده شود', questions: [] },
      { id: 2, title: 'یک', instructions: 'بخش', image: 'x', ...one({}) },
    ],
  }
  expect(readQuestions(data).sections).toMatchObject([
    { id: '2', title: 'یک', description: 'راهنما\nکل\nخوانده شود\nبخش', pictures: ['x'] },
  ])
})

test.each([
  ['http://example.org/a.png'],
  ['file:///etc/passwd'],
  ['a.png'],
  ['data:text/html;base64,PGh0bWw+PGh0bWw+PGh0bWw+'],
  ['data:image/png,abc'],
  [''],
])('%s is not the address of a picture', async (address) => {
  expect(await createPictureFetcher({})(address)).toBeUndefined()
})

test('a picture is recognized by its bytes and its size', () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(20)])
  expect(isPicture(png)).toBe(true)
  expect(isPicture(Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]))).toBe(false)
  expect(isPicture(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe(false)
  expect(isPicture(Buffer.from('RIFFxxxxWEBPVP8 1234'))).toBe(true)
})
