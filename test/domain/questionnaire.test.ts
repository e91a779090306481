import { expect, test } from 'vitest'
import { isAskable, type Questionnaire } from '../../src/domain/questionnaire.ts'

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
])('words of %d letters, a label of %d, %d times: asked %s', (text, label, questions, isAsked) => {
  expect(isAskable(asking(text, label, questions))).toBe(isAsked)
})
