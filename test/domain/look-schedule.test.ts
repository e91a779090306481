import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLate, LOOK_SPACING_MS, lookInterval, nextLook, placeFrom } from '../../src/domain/look-schedule.ts'

const POLL_MS = 45_000
const NOW = 1_000_000
const place = (schedule: Record<string, number>, changes: Partial<Parameters<typeof nextLook>[1]> = {}) =>
  nextLook(schedule, { s: 'own', now: NOW, pollMs: POLL_MS, isFirst: false, random: 0.5, ...changes })

test('the first look comes after five intervals, the next after one', () => {
  expect(place({}, { isFirst: true })).toBe(NOW + 5 * POLL_MS)
  expect(place({})).toBe(NOW + POLL_MS)
})

test.each([
  [0, 0.75],
  [0.5, 1],
  [1, 1.25],
])('with the random number %d an interval is %d of its length', (random, part) => {
  expect(place({}, { random })).toBe(NOW + part * POLL_MS)
})

test.each([
  [1, POLL_MS],
  [15, POLL_MS],
  [16, 48_000],
  [30, 90_000],
])('with %d roadmaps the interval is %d ms', (roadmaps, interval) => {
  expect(lookInterval(POLL_MS, roadmaps)).toBe(interval)
})

test('the own place in the schedule is given up for the new one', () => {
  expect(place({ own: NOW + POLL_MS })).toBe(NOW + POLL_MS)
})

test('a place that is taken is passed over', () => {
  const taken = NOW + POLL_MS
  expect(place({ one: taken })).toBe(taken + LOOK_SPACING_MS)
  expect(place({ one: taken, other: taken + LOOK_SPACING_MS })).toBe(taken + 2 * LOOK_SPACING_MS)
})

test('a look is late when it missed two places', () => {
  expect(isLate(NOW, NOW + 2 * LOOK_SPACING_MS)).toBe(false)
  expect(isLate(NOW, NOW + 2 * LOOK_SPACING_MS + 1)).toBe(true)
})

test('late looks are placed from now on, one after another', () => {
  let schedule: Record<string, number> = { a: 1, b: 2, c: 3, later: NOW + 1_000 }
  for (const s of ['a', 'b', 'c']) schedule = { ...schedule, [s]: placeFrom(schedule, s, NOW) }
  expect(schedule).toEqual({
    later: NOW + 1_000,
    a: NOW + 1_000 + LOOK_SPACING_MS,
    b: NOW + 1_000 + 2 * LOOK_SPACING_MS,
    c: NOW + 1_000 + 3 * LOOK_SPACING_MS,
  })
})

test('however roadmaps come and go, no two looks are closer than the spacing, and none comes before its time', () => {
  const step = fc.record({
    s: fc.integer({ min: 0, max: 40 }).map(String),
    passMs: fc.integer({ min: 0, max: 60_000 }),
    isFirst: fc.boolean(),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
    leaves: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      let schedule: Record<string, number> = {}
      let now = NOW
      for (const { s, passMs, leaves, isFirst, random } of steps) {
        now += passMs
        const { [s]: _, ...others } = schedule
        if (leaves) {
          schedule = others
          continue
        }
        const at = nextLook(schedule, { s, now, pollMs: POLL_MS, isFirst, random })
        expect(at).toBeGreaterThanOrEqual(Math.floor(now + (isFirst ? 5 : 0.75) * POLL_MS))
        schedule = { ...others, [s]: at }
      }
      const times = Object.values(schedule).toSorted((one, other) => one - other)
      for (const [index, at] of times.entries())
        expect(at - (times[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(LOOK_SPACING_MS - 1)
    }),
  )
})
