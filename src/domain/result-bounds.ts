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
    if (typeof value === 'string') return takeText(value)
    if (!isFields(value)) return value
    if (depth < DEEPEST) return Array.isArray(value) ? takeItems(value, depth) : takeFields(value, depth)
    isCut = true
    return null
  }

  function isLeft(): boolean {
    values -= 1
    isCut ||= values < 0
    return values >= 0
  }

  function takeText(text: string): string {
    const most = Math.min(LONGEST_TEXT, letters)
    const taken = beginningOf(text, most)
    letters -= taken.length
    isCut ||= taken.length < text.length
    return taken
  }

  function takeItems(items: readonly unknown[], depth: number): unknown[] {
    const taken: unknown[] = []
    for (const item of items) {
      if (!isLeft()) break
      taken.push(take(item, depth + 1))
    }
    return taken
  }

  /** What stands beside a list is not lost behind it; the order stays. */
  function takeFields(fields: Fields, depth: number): Fields {
    const taken: Fields = {}
    for (const name in fields) {
      if (!isLeft()) break
      taken[name] = isFields(fields[name]) ? null : take(fields[name], depth + 1)
    }
    for (const name in taken) {
      if (isFields(fields[name])) taken[name] = take(fields[name], depth + 1)
    }
    return taken
  }

  return { value: take(result, 0), isCut }
}
