import { expect, test } from 'vitest'
import { type Checks, makeRoom, nextAlone, nextCheck } from '../../src/domain/analysis-checks.ts'

const NO_LOOKS: Checks = { alone: {}, freeAt: 0 }
const POLL_MS = 45_000
const NOW = 1_000_000
const SPACING_MS = 12_000
const alone = (places: Record<string, number>): Checks['alone'] =>
  Object.fromEntries(Object.entries(places).map(([s, after]) => [s, { at: NOW + after }]))

test.each<[string, Partial<Checks>, object | undefined]>([
  ['nothing where nothing waits', {}, undefined],
  ['what is due first', { alone: alone({ a: 9, b: 5 }) }, { s: 'b', at: NOW + 5 }],
  ['what was due long ago, now', { alone: alone({ a: -9, b: -5 }) }, { s: 'a', at: NOW }],
  ['nothing before the pause is over', { alone: alone({ a: -9 }), freeAt: NOW + 3 }, { s: 'a', at: NOW + 3 }],
  ['the list, where nothing else is due', { alone: alone({ a: 9 }), list: { at: NOW - 1 } }, { at: NOW }],
  [
    'before the list what is due by then',
    { alone: alone({ a: 2 }), list: { at: NOW - 1 }, freeAt: NOW + 3 },
    { s: 'a', at: NOW + 3 },
  ],
])('looked at next is %s', (_, checks, next) => {
  expect(nextCheck({ ...NO_LOOKS, ...checks }, NOW)).toEqual(next)
})

test.each<[string, Partial<Checks>, boolean, number]>([
  ['after five intervals at first', {}, true, 5 * POLL_MS],
  ['after one interval then', {}, false, POLL_MS],
  ['whatever the others do', { alone: alone({ own: 1, other: POLL_MS }) }, false, POLL_MS],
  [
    'behind all others while many wait',
    { alone: alone({ own: 1, other: POLL_MS }), list: { at: NOW } },
    false,
    POLL_MS + SPACING_MS,
  ],
  ['never too early', { alone: alone({ own: 1, other: 2 }), list: { at: NOW } }, true, 5 * POLL_MS],
])('a roadmap is looked at alone %s', (_, checks, isFirst, after) => {
  expect(nextAlone({ ...NO_LOOKS, ...checks }, { s: 'own', now: NOW, pollMs: POLL_MS, isFirst })).toBe(
    NOW + after,
  )
})

test('those that are looked at alone make room for the list, in their order', () => {
  const checks = alone({ a: 1, b: 0, far: 90_000 })
  makeRoom(checks)
  expect(checks).toEqual(alone({ b: 0, a: SPACING_MS, far: 90_000 }))
})
