import type { Store } from './store.ts'

type Piece = readonly { id: string; at: number }[]

/** Reads a list in pieces, even while it changes. */
export async function* piecesOf(
  store: Pick<Store, 'listed'>,
  list: string,
  { from, most }: { from: number; most: number },
): AsyncGenerator<Piece> {
  // `since`: the time to continue from; `skip`: how many entries of that millisecond were read already.
  for (let [since, skip] = [from, 0]; ; ) {
    const piece = await store.listed(list, { from: since, skip, most })
    if (piece.length > 0) yield piece
    if (piece.length < most) return
    const last = piece.at(-1)?.at ?? since
    const same = piece.filter(({ at }) => at === last).length
    skip = last === since ? skip + same : same
    since = last
  }
}
