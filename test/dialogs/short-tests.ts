import { defineTest, type TestSpec } from '../../tools/sandbox/sandbox.ts'
import type { Meeting } from './walk.ts'

const titles = { title: 'آزمون کوتاه', about: 'نمونه', minutes: 1, answers: ['نه', 'گاهی', 'بله'] }
const scales = { calm: { title: 'آرامش', tone: 'style', low: 'کم', middle: 'میانه', high: 'زیاد' } } as const
const item = (number: number) => ['calm', `جملهٔ ${number}`] as const

/** Three questions without sections, unless changed. */
export const shortTest = (changes: Partial<TestSpec> = {}) =>
  defineTest({
    id: 'short',
    ...titles,
    form: 'questions',
    sections: [{ title: 'همه', items: [item(1), item(2), item(3)] }],
    scales,
    ...changes,
  })

/** Two sections, of one and of two questions. */
export const sectionedTest = (changes: Partial<TestSpec> = {}) =>
  shortTest({
    form: 'sections',
    sections: [
      { title: 'صبح', items: [item(1)] },
      { title: 'شب', items: [item(2), item(3)] },
    ],
    ...changes,
  })

/** A short test without a profile, for stories about what comes after it. */
export const knownPerson = (test = shortTest()): Meeting => ({
  sandbox: { tests: [test] },
  record: { testId: test.id, authRequired: false },
})
