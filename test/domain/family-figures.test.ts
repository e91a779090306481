import { expect, test } from 'vitest'
import { familyFigures, isCompared, sharedTests, withEarlier } from '../../src/domain/family-figures.ts'

const scale = (title: string, score?: number) => ({ title, ...(score !== undefined && { score }) })

test('the scores of several people are set side by side, before the tests of one person', () => {
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

test('no people are compared where a test does not tell whose it is', () => {
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

test('a test that several roles take once each is shared', () => {
  const limits = { minAge: null, maxAge: null, gender: 'both' } as const
  const roles = [1, 2].map((id) => ({ id, title: '', limits }))
  const record = (s: string, title: string, role: number) => ({ s, token: s, title, role, isFinished: false })
  const records = [
    ...[record('a', 'both', 1), record('b', 'both', 2), record('c', 'alone', 1)],
    ...[record('d', 'twice', 1), record('e', 'twice', 1)],
  ]
  const shared = sharedTests({ roles, records, hands: [] })
  expect(shared.map((test) => test.map(({ s }) => s))).toEqual([['a', 'b']])
})

test('a scale has its earlier score beside it, found by title and order', () => {
  const now = [scale('گرما', 1), scale('گرما', 2), scale('گرما', 8), scale('نو', 3), { score: 4 }]
  const earlier = [scale('گرما', 5), scale('گرما', 6), { score: 7 }]
  expect(withEarlier(now, earlier)).toStrictEqual([
    { ...scale('گرما', 1), earlier: scale('گرما', 5) },
    { ...scale('گرما', 2), earlier: scale('گرما', 6) },
    scale('گرما', 8),
    scale('نو', 3),
    { score: 4 },
  ])
})
