import { expect, test } from 'vitest'
import { DAY_MS } from '../../src/domain/durations.ts'
import { noteTest } from '../../src/storage/documents/enrolments.ts'
import { piecesOf } from '../../src/storage/pieces.ts'

/** A list whose entries were added at these times, oldest first. */
const listOf = (times: readonly number[]) => {
  const all = times.map((at, index) => ({ id: `${index}`, at }))
  return {
    async listed(_: string, { from, skip = 0, most }: { from: number; skip?: number; most: number }) {
      return all.filter(({ at }) => at >= from).slice(skip, skip + most)
    },
  }
}
async function readAll(pieces: AsyncIterable<readonly { id: string }[]>) {
  const read: string[][] = []
  for await (const piece of pieces) read.push(piece.map(({ id }) => id))
  return read
}

test.each([
  ['no entries', [], []],
  ['less than a piece', [1], [['0']]],
  ['just a full piece', [1, 2], [['0', '1']]],
  ['different times', [1, 2, 3], [['0', '1'], ['2']]],
  ['one time', [1, 1, 1, 1, 1], [['0', '1'], ['2', '3'], ['4']]],
  ['a time across pieces', [1, 2, 2, 2, 3], [['0', '1'], ['2', '3'], ['4']]],
])('a list with %s is read piece by piece, each entry once', async (_, times, pieces) => {
  const read = await readAll(piecesOf(listOf(times), 'list', { from: 0, most: 2 }))
  expect(read).toEqual(pieces)
})

test('a test is noted once a day, the newest first, fifty at most', async () => {
  let board: { tests: { title: string; at: number }[] } | undefined
  const work = {
    get: async () => board,
    put: (_: unknown, __: string, value: typeof board) => {
      board = value
      return value
    },
  } as unknown as Parameters<typeof noteTest>[0]
  await noteTest(work, 'a', 0)
  await noteTest(work, 'b', 1)
  await noteTest(work, 'a', DAY_MS - 1)
  expect(board?.tests.map(({ title }) => title)).toEqual(['b', 'a'])
  await noteTest(work, 'a', DAY_MS)
  expect(board?.tests).toEqual([
    { title: 'a', at: DAY_MS },
    { title: 'b', at: 1 },
  ])
  for (let more = 0; more < 60; more += 1) await noteTest(work, `more ${more}`, DAY_MS)
  expect(board?.tests).toHaveLength(50)
  expect(board?.tests[0]?.title).toBe('more 59')
})
