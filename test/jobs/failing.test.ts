import { expect, test } from 'vitest'
import { comesAgain, earlierRunsOf, type Passing } from '../../src/queue/failing.ts'

const said = [{ key: 'k', id: 7 }]

/** When a message comes again that always fails like this, in seconds, until it is set aside or enough was seen. */
function timesOf(passing: Passing, most: number): number[] {
  const times: number[] = []
  let now = 1_000_000
  let before = earlierRunsOf({})
  while (times.length < most) {
    const again = comesAgain(before, passing, said, now)
    if (!again) break
    times.push(again.afterMs / 1_000)
    now += again.afterMs
    // As it is kept with the message.
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

test('what surely did nothing is tried for ever, as seldom', () => {
  expect(timesOf({ kind: 'nothing-done' }, 99)).toHaveLength(99)
  expect(timesOf({ kind: 'nothing-done' }, 99).at(-1)).toBe(60)
})

test('a time that was named is kept', () => {
  expect(timesOf({ kind: 'named', afterMs: 40_000 }, 30)).toEqual(Array(30).fill(40))
})

test('a message that never failed has nothing to repeat', () => {
  expect(earlierRunsOf({ type: 'update' })).toEqual({ tries: 0, said: [] })
  expect(earlierRunsOf(undefined)).toEqual({ tries: 0, said: [] })
})
