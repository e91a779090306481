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
  ['at its hour if that is to come', recalled(20), { again: NOW + 4 * HOUR_MS }],
  ['now if its hour has passed', recalled(24), { due: 'reminder', again: NOW }],
  ['at the second hour after the first one', recalled(24, 1), { again: NOW + 48 * HOUR_MS }],
  ['never after the last one', recalled(100, 2), {}],
  ['in the morning if it is due at night', recalled(24 - 11), { again: MORNING }],
])('a reminder of an unfinished test comes %s', (_, watched, next) => {
  expect(nextDue(watched, NOW)).toEqual(next)
})

test('a reminder put off until the morning, or to an hour, keeps its minutes', () => {
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
])('the reminder comes at %d o’clock', (hour, at) => {
  const watched = { ...recalled(24), hour } as Watched
  expect(nextDue(watched, NOW)).toEqual(at === NOW ? { due: 'reminder', again: NOW } : { again: at })
  const late = nextDue(watched, NOW + HOUR_MS - 1)
  expect(late.due).toBe(hour === 12 ? 'reminder' : undefined)
})

test('a chosen hour that has become a quiet one does not put off the reminder for ever', () => {
  const watched = { ...recalled(24), hour: 9, quiet: { from: 20, to: 10 } } as Watched
  expect(nextDue(watched, NOW)).toEqual({ due: 'reminder', again: NOW })
  const atNight = { ...watched, lastActivityAt: NOW - 15 * HOUR_MS } as Watched
  expect(nextDue(atNight, NOW + 22 * HOUR_MS).due).toBe('reminder')
})

test.each([
  [22, 8, [21], [22, 23, 0, 7], [8]],
  [1, 5, [0], [1, 4], [5, 23]],
  [5, 5, [4], [], [5, 6]],
])('the hours from %d to %d are quiet', (from, to, before, within, after) => {
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
    'with recent activity is checked a day later',
    record({ lastActivityAt: NOW - 1 }),
    { again: NOW - 1 + DAY_MS },
  ],
  ['without activity for a day is reported', record({}), { due: 'stuck', again: NOW }],
  [
    'without activity for exactly a day is reported',
    record({ lastActivityAt: NOW - DAY_MS }),
    { due: 'stuck', again: NOW },
  ],
  [
    'without activity that is finished is not reported',
    record({ lastActivityAt: NOW - DAY_MS, isUnfinished: false }),
    { again: NOW + DAY_MS },
  ],
  ['reported once is not reported again', record({ toldAt: NOW - 2 * DAY_MS }), { again: NOW + DAY_MS }],
  ['reported before it went on is again', record({ toldAt: NOW - 9 * DAY_MS }), { due: 'stuck', again: NOW }],
  ['that waits for others is not reported', record({ isUnfinished: false }), { again: NOW + DAY_MS }],
  [
    'with a long term left is not warned of',
    record({ isUnfinished: false, deletedAt: NOW + 30 * DAY_MS }),
    { again: NOW + DAY_MS },
  ],
  [
    'with two weeks and an hour left is warned of in an hour',
    record({ isUnfinished: false, deletedAt: NOW + 14 * DAY_MS + HOUR_MS }),
    { again: NOW + HOUR_MS },
  ],
  [
    'with two weeks left is warned of',
    record({ isUnfinished: false, deletedAt: NOW + 14 * DAY_MS }),
    { due: 'warning', again: NOW },
  ],
  [
    'due for a warning at night is warned of in the morning',
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
  ['checked in time is checked again', screen(0, MINUTE_MS), { again: NOW + 2 * MINUTE_MS }],
  [
    'checked after an outage waits for answers written meanwhile',
    screen(3 * MINUTE_MS, 5 * MINUTE_MS),
    { again: NOW + 3_000, noticedAt: NOW },
  ],
  ['is then shown again', screen(3 * MINUTE_MS, 5 * MINUTE_MS, 3_000), { due: 'redraw' }],
  ['answered meanwhile is not', screen(3 * MINUTE_MS, 1_000, 3_000), { again: NOW + 2 * MINUTE_MS }],
  ['of a participant who left before the outage is dropped', screen(3 * MINUTE_MS, 40 * MINUTE_MS), {}],
  ['a tap’s life late is not yet late', screen(150_000, 5 * MINUTE_MS), { again: NOW + 2 * MINUTE_MS }],
  ['late, of one who had just left, is dropped', screen(3 * MINUTE_MS, 33 * MINUTE_MS), {}],
  [
    'of a participant away for half an hour is checked',
    screen(0, 30 * MINUTE_MS),
    { again: NOW + 2 * MINUTE_MS },
  ],
  ['of a participant who has left is dropped', screen(0, 31 * MINUTE_MS), {}],
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
])('a record that waits for the organizer is checked %s', (_, watched, now, next) => {
  expect(nextDue(watched, now)).toEqual(next)
})
