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

const SPREAD = 20

/** Reads about `wanted` entries of a long list, in pieces that are spread over the whole list. */
export async function* spreadOf(
  store: Pick<Store, 'listed' | 'counts'>,
  list: string,
  { from, most, wanted }: { from: number; most: number; wanted: number },
): AsyncGenerator<Piece> {
  const [count = 0] = await store.counts([{ list, from }])
  if (count <= wanted) return yield* piecesOf(store, list, { from, most })
  for (let nth = 0; nth < SPREAD; nth += 1) {
    const skip = Math.floor((nth * count) / SPREAD)
    yield await store.listed(list, { from, skip, most: Math.ceil(wanted / SPREAD) })
  }
}
