import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../src/domain/durations.ts'
import { afterQuietHours, isOutside, type Next, nextDue, type Watched } from '../../src/domain/watch.ts'

const MINUTE_MS = 60_000
/** Noon in Tehran. */
const NOW = Date.UTC(2026, 5, 1, 8, 30)
const quiet = { from: 22, to: 8 }
const MORNING = NOW + 20 * HOUR_MS

const recalled = (hoursAgo: number, sent = 0): Watched => ({
  watch: 'reminder',
  hours: [72, 24],
  quiet,
  lastActivityAt: NOW - hoursAgo * HOUR_MS,
  sent,
})

test.each<[string, Watched, Next]>([
  ['before its hours, then', recalled(20), { again: NOW + 4 * HOUR_MS }],
  ['after its hours, now', recalled(24), { due: 'reminder', again: NOW }],
  ['after the first, the second', recalled(24, 1), { again: NOW + 48 * HOUR_MS }],
  ['after the last, never', recalled(100, 2), {}],
  ['at night, in the morning', recalled(24 - 11), { again: MORNING }],
])('an unfinished test is recalled %s', (_, watched, next) => {
  expect(nextDue(watched, NOW)).toEqual(next)
})

test('whoever is put off until the morning, or to an hour, comes a little later than others', () => {
  const later = { ...recalled(24 - 11), lastActivityAt: NOW - 13 * HOUR_MS + 17 * MINUTE_MS } as Watched
  expect(nextDue(later, NOW)).toEqual({ again: MORNING + 17 * MINUTE_MS })
  expect(nextDue(later, MORNING + 17 * MINUTE_MS).due).toBe('reminder')
  const evening = { ...later, hour: 20 } as Watched
  const at = NOW + 32 * HOUR_MS + 17 * MINUTE_MS
  expect(nextDue(evening, NOW + 13 * HOUR_MS)).toEqual({ again: at })
  expect(nextDue(evening, at).due).toBe('reminder')
})

test.each([
  [11, NOW + 23 * HOUR_MS],
  [12, NOW],
  [13, NOW + HOUR_MS],
])('it is recalled at %d o’clock', (hour, at) => {
  const watched = { ...recalled(24), hour } as Watched
  expect(nextDue(watched, NOW)).toEqual(at === NOW ? { due: 'reminder', again: NOW } : { again: at })
  const late = nextDue(watched, NOW + HOUR_MS - 1)
  expect(late.due).toBe(hour === 12 ? 'reminder' : undefined)
})

test.each([
  [22, 8, [21], [22, 23, 0, 7], [8]],
  [1, 5, [0], [1, 4], [5, 23]],
  [5, 5, [4], [], [5, 6]],
])('from %d to %d it is quiet', (from, to, before, within, after) => {
  for (const hour of [...before, ...after]) expect(isOutside({ from, to }, hour)).toBe(true)
  for (const hour of within) expect(isOutside({ from, to }, hour)).toBe(false)
  expect(afterQuietHours({ from, to }, -10 * DAY_MS)).toBeGreaterThanOrEqual(-10 * DAY_MS)
})

const record = (changes: Partial<Extract<Watched, { watch: 'record' }>>): Watched => ({
  watch: 'record',
  quiet,
  lastActivityAt: NOW - 2 * DAY_MS,
  isUnfinished: true,
  ...changes,
})

test.each<[string, Watched, Next]>([
  [
    'active of late is looked at a day after',
    record({ lastActivityAt: NOW - 1 }),
    { again: NOW - 1 + DAY_MS },
  ],
  ['without activity for a day is told of', record({}), { due: 'stuck', again: NOW }],
  [
    'for a day to the millisecond is told of',
    record({ lastActivityAt: NOW - DAY_MS }),
    { due: 'stuck', again: NOW },
  ],
  [
    'of a day ago that nobody has to go on with',
    record({ lastActivityAt: NOW - DAY_MS, isUnfinished: false }),
    { again: NOW + DAY_MS },
  ],
  ['told of is not told of again', record({ toldAt: NOW - 2 * DAY_MS }), { again: NOW + DAY_MS }],
  ['told of before it went on is', record({ toldAt: NOW - 9 * DAY_MS }), { due: 'stuck', again: NOW }],
  ['that others have to go on with is not told of', record({ isUnfinished: false }), { again: NOW + DAY_MS }],
  [
    'kept for long is not warned of',
    record({ isUnfinished: false, deletedAt: NOW + 30 * DAY_MS }),
    { again: NOW + DAY_MS },
  ],
  [
    'kept for two weeks more is warned of soon',
    record({ isUnfinished: false, deletedAt: NOW + 14 * DAY_MS + HOUR_MS }),
    { again: NOW + HOUR_MS },
  ],
  [
    'kept for two weeks is warned of',
    record({ isUnfinished: false, deletedAt: NOW + 14 * DAY_MS }),
    { due: 'warning', again: NOW },
  ],
  [
    'to be warned of at night is warned of in the morning',
    record({ isUnfinished: false, deletedAt: NOW + 14 * DAY_MS + 11 * HOUR_MS }),
    { again: MORNING },
  ],
  [
    'warned of is not warned of again',
    record({ isUnfinished: false, deletedAt: NOW + DAY_MS, warnedOf: NOW + DAY_MS }),
    { again: NOW + DAY_MS },
  ],
])('a record %s', (_, watched, next) => {
  expect(nextDue(watched, NOW)).toEqual(next)
})

const screen = (lateMs: number, idleMs: number, noticedMs?: number): Watched => ({
  watch: 'screen',
  dueAt: NOW - lateMs,
  lastActivityAt: NOW - idleMs,
  ...(noticedMs !== undefined && { noticedAt: NOW - noticedMs }),
})

test.each<[string, Watched, Next]>([
  ['looked at in time is looked at again', screen(0, MINUTE_MS), { again: NOW + 2 * MINUTE_MS }],
  [
    'looked at after an outage waits for what was written',
    screen(3 * MINUTE_MS, 5 * MINUTE_MS),
    { again: NOW + 3_000, noticedAt: NOW },
  ],
  ['is then shown anew', screen(3 * MINUTE_MS, 5 * MINUTE_MS, 3_000), { due: 'redraw' }],
  ['that was answered meanwhile is not', screen(3 * MINUTE_MS, 1_000, 3_000), { again: NOW + 2 * MINUTE_MS }],
  ['of somebody who had left before the outage is left', screen(3 * MINUTE_MS, 40 * MINUTE_MS), {}],
  ['a tap’s life late is not yet late', screen(150_000, 5 * MINUTE_MS), { again: NOW + 2 * MINUTE_MS }],
  ['late, of somebody who had just left, is left', screen(3 * MINUTE_MS, 33 * MINUTE_MS), {}],
  [
    'of somebody away for half an hour is looked at',
    screen(0, 30 * MINUTE_MS),
    { again: NOW + 2 * MINUTE_MS },
  ],
  ['of somebody who has left is left', screen(0, 31 * MINUTE_MS), {}],
])('a question %s', (_, watched, next) => {
  expect(nextDue(watched, NOW)).toEqual(next)
})

const opening = (waitMs: number, hour = 0): Watched => ({
  watch: 'opening',
  quiet: { from: hour, to: hour + 1 },
  waitMs,
  until: NOW,
})

test.each<[string, Watched, number, Next]>([
  ['with growing pauses', opening(10 * MINUTE_MS), NOW, { due: 'look', again: NOW + 15 * MINUTE_MS }],
  ['every two hours at least', opening(2 * HOUR_MS), NOW, { due: 'look', again: NOW + 2 * HOUR_MS }],
  ['not in quiet hours', opening(1, 12), NOW, { again: NOW + HOUR_MS }],
  ['not for ever', opening(1), NOW + 1, {}],
])('what waits for the organizer is looked at %s', (_, watched, now, next) => {
  expect(nextDue(watched, now)).toEqual(next)
})
