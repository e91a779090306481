import { expect, test } from 'vitest'
import {
  afterFailure,
  earlierRunsOf,
  nextRetry,
  type PutBack,
  type TemporaryFailure,
} from '../../src/queue/failing.ts'

const said = [{ key: 'k', id: 7 }]

/** The delays in seconds of a message that always fails like this, until it is set aside. */
function timesOf(passing: TemporaryFailure, most: number): number[] {
  const times: number[] = []
  let now = 1_000_000
  let before = earlierRunsOf({})
  while (times.length < most) {
    const again = nextRetry(before, passing, said, now)
    if (!again) break
    times.push(again.afterMs / 1_000)
    now += again.afterMs
    // As the store keeps it with the message.
    before = earlierRunsOf(JSON.parse(JSON.stringify({ attempts: again.attempts })))
    expect(before.said).toEqual(said)
  }
  return times
}

test('an unclear failure is tried after 1, 2, 4 … 60 s and set aside after 15 minutes', () => {
  const times = timesOf({ kind: 'unclear' }, 999)
  expect(times.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  const all = times.reduce((sum, seconds) => sum + seconds, 0)
  expect(all).toBeGreaterThanOrEqual(15 * 60)
  expect(all).toBeLessThanOrEqual(16 * 60)
})

test('a failure that surely did nothing is retried for ever at the same intervals', () => {
  expect(timesOf({ kind: 'nothing-done' }, 99)).toHaveLength(99)
  expect(timesOf({ kind: 'nothing-done' }, 99).at(-1)).toBe(60)
})

test('a delay named by the other side is kept', () => {
  expect(timesOf({ kind: 'named', afterMs: 40_000 }, 30)).toEqual(Array(30).fill(40))
})

test('a message that never failed has no earlier attempts', () => {
  expect(earlierRunsOf({ type: 'update' })).toEqual({ tries: 0, said: [] })
  expect(earlierRunsOf(undefined)).toEqual({ tries: 0, said: [] })
})

const NOW = 1_000_000
const before = { tries: 2, unclearSince: NOW - 15 * 60_000, said: [] }
const kept = { ...before, said }

test.each<[string, Parameters<typeof afterFailure>[1], typeof said, number, PutBack | 'set aside']>([
  ['beyond repair', 'hopeless', said, 0, 'set aside'],
  ['at the stop', 'stopping', said, 0, { afterMs: 0, countsAsRetry: false, attempts: kept }],
  [
    'at the stop, with nothing said',
    'stopping',
    [],
    0,
    { afterMs: 0, countsAsRetry: false, attempts: undefined },
  ],
  [
    'until a time',
    { kind: 'named', afterMs: 7 },
    said,
    9,
    { afterMs: 7, countsAsRetry: false, attempts: kept },
  ],
  [
    'with nothing done',
    { kind: 'nothing-done' },
    said,
    9,
    { afterMs: 4_000, countsAsRetry: false, attempts: { tries: 3, said } },
  ],
  ['for too long', { kind: 'unclear' }, said, 0, 'set aside'],
  ['by a mistake', undefined, said, 0, { afterMs: 500, countsAsRetry: true, attempts: kept }],
  [
    'by a mistake for the fifth time',
    undefined,
    [],
    4,
    { afterMs: 8_000, countsAsRetry: true, attempts: undefined },
  ],
  ['by a mistake once more', undefined, said, 5, 'set aside'],
])('a message that fails %s comes again, or not', (_, reason, confirmed, retries, end) => {
  expect(afterFailure({ before, said: confirmed, retries, now: NOW }, reason)).toEqual(end)
})

test('an unclear failure is set aside after a quarter of an hour, not before', () => {
  const again = (ms: number) =>
    nextRetry({ ...before, unclearSince: NOW - ms }, { kind: 'unclear' }, said, NOW)
  expect(again(15 * 60_000)).toBeUndefined()
  expect(again(15 * 60_000 - 1)?.attempts.unclearSince).toBe(NOW - 15 * 60_000 + 1)
})
