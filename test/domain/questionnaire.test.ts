import { expect, test } from 'vitest'
import {
  durationInMinutes,
  inOrder,
  isAskable,
  milestoneAt,
  minutesLeft,
  picturesOf,
  type Questionnaire,
} from '../../src/domain/questionnaire.ts'

const asking = (text: number, label: number, questions = 1): Questionnaire => ({
  form: 'flat',
  sections: [
    {
      questions: Array.from({ length: questions }, (_, at) => ({
        id: `q${at}`,
        text: 'ا'.repeat(text),
        options: [{ id: '1', label: 'ب'.repeat(label) }],
      })),
    },
  ],
})

test.each([
  [40_000, 20_000, 1, true],
  [40_001, 1, 1, false],
  [1, 20_001, 1, false],
  [1, 3_700_000, 1, false],
  [40_000, 4_000, 100, false],
  [3_000, 200, 567, true],
])('a text of %d letters and a label of %d, %d times, is accepted: %s', (text, label, questions, isAsked) => {
  expect(isAskable(asking(text, label, questions))).toBe(isAsked)
})

const question = (id: string, options = 1) => ({
  id,
  text: id,
  options: Array.from({ length: options }, (_, at) => ({ id: `${at}`, label: `${at}` })),
})
const flat = (...sizes: number[]): Questionnaire => ({
  form: 'flat',
  sections: [{ questions: sizes.map((options, at) => question(`q${at}`, options)) }],
})

test.each([
  ['no question', [], false],
  ['the most questions', Array(5_000).fill(1), true],
  ['one question more', Array(5_001).fill(1), false],
  ['the most options', [250], true],
  ['one option too many', [1, 251], false],
  ['a question without options', [1, 0], false],
])('%s is accepted: %s', (_, sizes, isAsked) => {
  expect(isAskable(flat(...sizes))).toBe(isAsked)
})

test('texts that fill the limit are accepted, one label that is too long is not', () => {
  expect(isAskable(asking(40_000, 10_000, 80))).toBe(true)
  const long = { id: '2', label: 'x'.repeat(20_001) }
  const options = [{ id: '1', label: 'x' }, long]
  expect(isAskable({ form: 'flat', sections: [{ questions: [{ id: 'q', text: 'x', options }] }] })).toBe(
    false,
  )
})

test('the first question of a section opens it', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => question(id)) as [never, never, never]
  const sections = [
    { title: 'one', description: 'about', pictures: ['p'], questions: [a, b] },
    { title: 'empty', questions: [] },
    { title: 'two', questions: [c] },
  ]
  expect(inOrder({ form: 'sections', sections })).toStrictEqual([
    { question: a, opens: 'one', section: { number: 1, of: 2 }, about: 'about', sectionPictures: ['p'] },
    { question: b },
    { question: c, opens: 'two', section: { number: 2, of: 2 } },
  ])
  expect(inOrder({ form: 'sections', sections: sections.slice(1) })).toStrictEqual([
    { question: c, opens: 'two' },
  ])
})

test('pictures go before a question, those of options under their numbers', () => {
  const options = [
    { id: '1', label: 'x' },
    { id: '2', label: 'y', picture: 'o' },
  ]
  const asked = { id: 'q', text: 'q', pictures: ['p'], options }
  expect(picturesOf(asked)).toEqual([{ picture: 'p' }, { picture: 'o', option: 1 }])
})

test.each([
  [100, 0, undefined, 20],
  [100, 50, undefined, 10],
  [100, 100, undefined, 1],
  [100, 50, 60, 30],
])(
  'of %d questions, with %d answered, %s recommended, %d minutes are left',
  (questions, answered, minutes, left) => {
    expect(minutesLeft({ questions, answered, recommendedMinutes: minutes })).toBe(left)
  },
)

test.each([
  [15, 8, undefined],
  [16, 8, 'half'],
  [16, 12, 'three-quarters'],
  [16, 9, undefined],
  [17, 9, 'half'],
  [17, 13, 'three-quarters'],
])('of %d questions the one at %d is a milestone: %s', (total, position, milestone) => {
  expect(milestoneAt(position, total)).toBe(milestone)
})

test.each([
  [5, 1],
  [89, 1],
  [600, 10],
])('%d seconds are sent as %d minutes', (seconds, minutes) => {
  expect(durationInMinutes(seconds)).toBe(minutes)
})
