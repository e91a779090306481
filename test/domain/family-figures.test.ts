import { expect, test } from 'vitest'
import { familyFigures, isCompared } from '../../src/domain/family-figures.ts'

const scale = (title: string, score?: number) => ({ title, ...(score !== undefined && { score }) })

test('a test of several people stands side by side, and before the tests of one', () => {
  const { people, tests } = familyFigures([
    { title: 'رفتار', role: 'فرزند', scales: [scale('پرخاش', 4)] },
    { title: 'خانه', role: 'مادر', scales: [scale('گرما', 1), scale('گرما', 2), scale('بی‌عدد')] },
    { title: 'خانه', role: 'فرزند', scales: [scale('گرما', 3)] },
  ])
  expect(people).toEqual(['فرزند', 'مادر'])
  expect(tests.map(({ title }) => title)).toEqual(['خانه', 'رفتار'])
  expect(tests[0]?.scales).toEqual([
    { title: 'گرما', marks: [scale('گرما', 3), scale('گرما', 1)] },
    { title: 'گرما', marks: [undefined, scale('گرما', 2)] },
  ])
  expect(tests.map(isCompared)).toEqual([true, false])
})

test('where it is not clear whose a test is, nobody is compared', () => {
  const { people, tests } = familyFigures([
    { title: 'خانه', scales: [scale('گرما', 1)] },
    { title: 'خانه', role: 'مادر', scales: [scale('گرما', 2)] },
    { title: 'خانه', role: 'پدر', scales: [scale('بی‌عدد')] },
  ])
  expect(people).toEqual(['', 'مادر'])
  expect(tests.map(({ scales }) => scales[0]?.marks)).toEqual([
    [scale('گرما', 1), undefined],
    [undefined, scale('گرما', 2)],
  ])
  expect(tests.some(isCompared)).toBe(false)
})
