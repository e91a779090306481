import { DAY_MS, TEHRAN_MS } from '../domain/durations.ts'
import { BOARD_STAGES, boardLists, NO_STAGE, STUCK_MS } from '../domain/record/standing.ts'
import { BEGUN, OPENED } from '../storage/documents/enrolment-log.ts'
import type { Store } from '../storage/store.ts'
import type { BoardCounts } from '../views/home.ts'

/** What a recount leaves when it has come to its end. */
export const RECOUNTED = 'recounted'

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

/** Counts the board, in one command of the store. */
export async function countBoard(
  store: Pick<Store, 'counts'>,
  now: number,
  since: number,
): Promise<BoardCounts> {
  const stages = BOARD_STAGES.map((stage) => boardLists(stage, now))
  const all = [...stages.flat(), { list: NO_STAGE, from: 0 }].map(({ list }) => ({ list, from: 0 }))
  const delivered = boardLists('delivered', now).map(({ list }) => ({ list, from: since }))
  const parts = [
    stages.flat(),
    all,
    [OPENED, BEGUN].map((list) => ({ list, from: 0 })),
    [OPENED, BEGUN, 'waiting'].map((list) => ({ list, from: since })),
    // Who stands there was here last a day before.
    [{ list: 'stuck', from: since - STUCK_MS }],
    delivered,
    [{ list: RECOUNTED, from: 0 }],
  ]
  const found = await store.counts(parts.flat())
  const [current = [], ever = [], enrolled = [], recent = [], stuck = [], done = [], recounted = []] =
    parts.map(({ length }) => found.splice(0, length))
  const counts = BOARD_STAGES.flatMap((stage, at) => {
    const count = sum(current.splice(0, stages[at]?.length))
    return count > 0 ? [[stage, count] as const] : []
  })
  const [opened = 0, begun = 0, waiting = 0] = recent
  return {
    counts: new Map(counts),
    since: { opened, begun, waiting, stuck: sum(stuck), delivered: sum(done) },
    isRight: sum(ever) === sum(enrolled),
    wasRecounted: sum(recounted) > 0,
  }
}

/** When the day began in Tehran. */
export const dayBegin = (now: number): number => now - ((now + TEHRAN_MS) % DAY_MS)
