import { type Fields, isFields } from './fields.ts'
import { beginningOf } from './sentences.ts'

/** More of one text does not fit into ten messages of Telegram. */
const LONGEST_TEXT = 41_000
const MOST_LETTERS = 120_000
/** Fields and items: about as many scales as ten messages hold. */
const MOST_VALUES = 4_000
const DEEPEST = 12

/**
 * As much of a result as a chat can show, whole sentences each; no more of it is looked at or kept, however large it is.
 * `isCut`: there is more. `of`: how many results share the room.
 */
export function withinBounds(result: unknown, of = 1): { value: unknown; isCut: boolean } {
  let letters = MOST_LETTERS / of
  let values = MOST_VALUES / of
  let isCut = false

  function take(value: unknown, depth: number): unknown {
    if (typeof value === 'string') {
      const taken = beginningOf(value, Math.min(LONGEST_TEXT, letters))
      letters -= taken.length
      isCut ||= taken.length < value.length
      return taken
    }
    if (!isFields(value)) return value
    isCut ||= depth === DEEPEST
    if (depth === DEEPEST) return null
    return Array.isArray(value) ? takeItems(value, depth + 1) : takeFields(value, depth + 1)
  }

  function isLeft(): boolean {
    values -= 1
    isCut ||= values < 0
    return values >= 0
  }

  function takeItems(items: readonly unknown[], depth: number): unknown[] {
    const taken: unknown[] = []
    for (const item of items) {
      if (!isLeft()) break
      taken.push(take(item, depth))
    }
    return taken
  }

  /** What stands beside a list is not lost behind it; the order stays. */
  function takeFields(fields: Fields, depth: number): Fields {
    const taken: Fields = {}
    for (const name in fields) {
      if (!isLeft()) break
      taken[name] = isFields(fields[name]) ? null : take(fields[name], depth)
    }
    for (const name in taken) {
      if (isFields(fields[name])) taken[name] = take(fields[name], depth)
    }
    return taken
  }

  return { value: take(result, 0), isCut }
}
