import { expect, test } from 'vitest'
import { wasInSight } from '../../src/participant/meant-question.ts'

const edited = (date: number) => ({ date, isNew: false })
const sentAnew = (date: number) => ({ date, isNew: true })
const sight = (
  dated: { date: number; isNew: boolean } | undefined,
  typed: { messageId: number; date: number },
  rivals: { messageId: number; dated: { date: number; isNew: boolean } }[] = [],
) => wasInSight({ showing: { messageId: 5, dated }, begunAt: undefined, rivals }, typed, undefined)

test.each([
  ['a message above the question', sentAnew(100), { messageId: 4, date: 100 }, 'no'],
  ['a message below a question that was sent again', sentAnew(100), { messageId: 6, date: 90 }, 'yes'],
  ['a message before the edit', edited(100), { messageId: 6, date: 99 }, 'no'],
  ['a message after the edit', edited(100), { messageId: 6, date: 101 }, 'yes'],
  ['a message in the second of the edit', edited(100), { messageId: 6, date: 100 }, 'unclear'],
  ['a message after an edit without a date', undefined, { messageId: 6, date: 200 }, 'unclear'],
] as const)('%s', (_, dated, typed, expected) => {
  expect(sight(dated, typed)).toBe(expected)
})

test('a number is in sight only if it is certain which of two tests was shown last', () => {
  const typed = { messageId: 9, date: 105 }
  const rival = (date: number) => [{ messageId: 3, dated: edited(date) }]
  expect(sight(edited(100), typed, rival(99))).toBe('yes')
  expect(sight(edited(100), typed, rival(100))).toBe('unclear')
  expect(sight(edited(100), typed, rival(104))).toBe('unclear')
})

test('a question below that changed in the same second may be the one that was read', () => {
  const shown = { messageId: 5, begunAt: 2, endedAt: 3, dated: edited(100) }
  const seen = (rival: { messageId: number; dated?: { date: number; isNew: boolean } }) =>
    wasInSight(
      { showing: shown, begunAt: undefined, rivals: [{ begunAt: 0, endedAt: 1, ...rival }] },
      { messageId: 9, date: 105 },
      undefined,
    )
  expect(seen({ messageId: 7, dated: edited(100) })).toBe('unclear')
  expect(seen({ messageId: 7 })).toBe('unclear')
  expect(seen({ messageId: 7, dated: edited(99) })).toBe('yes')
  expect(seen({ messageId: 4, dated: edited(100) })).toBe('yes')
})
