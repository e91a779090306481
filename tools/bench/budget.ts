import { loadBudget } from './budget-load.ts'
import type { Place } from './place.ts'
import { count, milliseconds, percent, quantile, type Table } from './table.ts'

const TITLE = 'The API budget'
const ABOUT =
  'Four replicas share the budget of one key (100 calls a minute, 3,000 an hour) for two hours, of which the second is measured; the time in which nothing happens is left out. 500 calls of the background always wait in line, and a call of a participant comes every 6 s on average, with 40 at once every ten minutes. A service beside it refuses what is too much.'

/** How four processes share the budget of one key. */
export async function measureBudget(place: Place): Promise<Table> {
  // The clock skips time and a disk does not, so Redis saves nothing.
  const redis = await place.redis(['--save', ''])
  if (!redis) return { title: TITLE, about: ABOUT, rows: [], skipped: 'it needs redis-server' }
  const { refused, usedShare, waits, redisShare } = await loadBudget(redis, place.isShort)
  const wait = (share: number) => quantile(waits, share)
  const show = milliseconds
  return {
    title: TITLE,
    about: ABOUT,
    rows: [
      {
        what: '429s',
        value: refused,
        show: count,
        goal: { most: 0 },
        means: 'Calls that the service refused.',
      },
      {
        what: 'used',
        value: usedShare,
        show: percent,
        goal: { least: 0.98 },
        means: 'Calls made, of those that the key allows in an hour.',
      },
      {
        what: 'participants wait, median',
        value: wait(0.5),
        show,
        goal: { most: 200 },
        means: 'From asking for a slot to having it.',
      },
      {
        what: 'participants wait, p95',
        value: wait(0.95),
        show,
        goal: { most: 1_000 },
        means: 'One of twenty waits longer.',
      },
      { what: 'participants wait, longest', value: wait(1), show, means: 'Of those who come 40 at once.' },
      { what: 'Redis', value: redisShare, show: percent, means: 'Of one core.' },
    ],
  }
}
