import { expect, test } from 'vitest'
import {
  afterPage,
  type Checks,
  type ListPass,
  NO_PASS,
  nextCheck,
} from '../../src/domain/analysis-checks.ts'

const POLL_MS = 45_000
const NOW = 1_000_000
const alone = (places: Record<string, number>): Checks['alone'] =>
  Object.fromEntries(Object.entries(places).map(([s, after]) => [s, { at: NOW + after }]))
const rests: ListPass = { ...NO_PASS, since: NOW - 1 }
const dueList: ListPass = { ...NO_PASS, since: NOW - POLL_MS - 1 }
const unsure: ListPass = { ...rests, missing: ['a'] }

test.each<[string, Partial<Checks>, object | undefined]>([
  ['none if no analysis waits', {}, undefined],
  ['the one that is due first', { alone: alone({ a: 9, b: 5 }) }, { s: 'b', at: NOW + 5 }],
  ['the one that was due first, now', { alone: alone({ a: -9, b: -5 }) }, { s: 'a', at: NOW }],
  ['none before the pause is over', { alone: alone({ a: -9 }), freeAt: NOW + 3 }, { s: 'a', at: NOW + 3 }],
  ['the list if nothing else is due', { alone: alone({ a: 9 }), list: dueList }, { at: NOW }],
  ['the list an interval later', { alone: alone({ a: POLL_MS }), list: rests }, { at: NOW - 1 + POLL_MS }],
  ['the list again for one it did not show', { alone: alone({ a: 9 }), list: unsure }, { at: NOW }],
  ['its next page', { alone: alone({ a: 9 }), list: { ...rests, page: 2 } }, { at: NOW }],
  [
    'one that is due before the list',
    { alone: alone({ a: 2 }), list: dueList, freeAt: NOW + 3 },
    { s: 'a', at: NOW + 3 },
  ],
  [
    'the list, soon after a single check',
    { alone: alone({ a: -9 }), list: dueList, aloneAt: NOW + 6 },
    { at: NOW },
  ],
  [
    'one that the list has shown, all the same',
    { alone: { a: { at: 0 } }, list: dueList, aloneAt: NOW + 6 },
    { s: 'a', at: NOW },
  ],
  [
    'a single one without a list, soon after another',
    { alone: alone({ a: -9 }), aloneAt: NOW + 6 },
    { s: 'a', at: NOW },
  ],
])('the next check is %s', (_, checks, next) => {
  expect(nextCheck({ alone: {}, freeAt: 0, ...checks }, NOW, POLL_MS)).toEqual(next)
})

const item = (status: number | null, is_finished: boolean | null = false) => ({ status, is_finished })
const pass = (changes: Partial<ListPass>): ListPass => ({
  ...NO_PASS,
  page: 1,
  missing: ['a', 'b'],
  ...changes,
})
const [analysed, scored, failed, unread] = [item(4), item(1), item(3), item(null, null)]
const found = (s: string) => ({ s, is: 'found' })
const changed = (s: string) => ({ s, is: 'changed' })

test.each<[string, ListPass, (typeof analysed | null)[], string, string | null, object[], Partial<ListPass>]>(
  [
    ['shows is under way', pass({}), [analysed, analysed], 'ab', null, [], {}],
    [
      'shows as finished is found',
      pass({}),
      [scored, item(2, true)],
      'ab',
      null,
      [found('a'), found('b')],
      {},
    ],
    ['shows otherwise has changed', pass({}), [failed, unread], 'ab', null, [changed('a'), changed('b')], {}],
    [
      'does not show may stand on the next page',
      pass({}),
      [analysed],
      'a',
      'more',
      [],
      { page: 2, missing: ['b'] },
    ],
    ['shows on this page needs no other', pass({}), [analysed, analysed], 'ab', 'more', [], {}],
    ['does not show on an empty page stands on none', pass({}), [], '', 'more', [], { missing: ['a', 'b'] }],
    ['does not miss is not reported', pass({ missing: ['a'] }), [analysed, failed], 'ab', null, [], {}],
    ['does not show once is not sure', pass({}), [analysed], 'a', null, [], { missing: ['b'] }],
    ['does not show twice is found', pass({ missed: ['b'] }), [analysed], 'a', null, [found('b')], {}],
    [
      'does not show beside an unread one has changed',
      pass({ missed: ['b'] }),
      [analysed, null],
      'a',
      null,
      [changed('b')],
      {},
    ],
    [
      'does not show beside a finished one has changed',
      pass({ missed: ['b'] }),
      [analysed, item(1, true)],
      'a',
      null,
      [changed('b')],
      {},
    ],
  ],
)('a list page: what it %s', (_, before, results, ours, next, news, after) => {
  const known = [...ours].map((s, index) => ({ s, item: results[index] ?? analysed }))
  const { news: told, pass: left } = afterPage(before, { results, next }, known)
  expect(told).toEqual(news)
  expect(left).toMatchObject({ page: 0, missing: [], ...after })
})
