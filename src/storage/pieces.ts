import type { Store } from './store.ts'

/** Where a list goes on: since when, and how many of that very moment were read already. */
export type Cursor = { from: number; skip: number }
type Piece = readonly { id: string; at: number }[]

/** Where a list goes on behind a piece of it. */
export function cursorBehind({ from, skip }: Cursor, piece: Piece): Cursor {
  const last = piece.at(-1)?.at ?? from
  const same = piece.filter(({ at }) => at === last).length
  return { from: last, skip: last === from ? skip + same : same }
}

/** Reads a list piece by piece, also while others change it. */
export async function* piecesOf(
  store: Pick<Store, 'listed'>,
  list: string,
  { from, most }: { from: number; most: number },
): AsyncGenerator<Piece> {
  for (let cursor: Cursor = { from, skip: 0 }; ; ) {
    const piece = await store.listed(list, { ...cursor, most })
    if (piece.length > 0) yield piece
    if (piece.length < most) return
    cursor = cursorBehind(cursor, piece)
  }
}
