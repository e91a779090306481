import { type Fields, isFields } from './fields.ts'
import { beginningOf } from './sentences.ts'

/** The upper limit for one text: ten messages of Telegram hold no more. */
const LONGEST_TEXT = 41_000
const MOST_LETTERS = 120_000
/** The upper limit for fields and items: about the scales that ten messages hold. */
const MOST_VALUES = 4_000
const DEEPEST = 12

/**
 * Cuts a result to what a chat can show, each text at the end of a sentence. The rest is neither read nor
 * stored. `isCut`: something was cut. `of`: the number of results that share the room.
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

  function hasRoom(): boolean {
    values -= 1
    isCut ||= values < 0
    return values >= 0
  }

  function takeItems(items: readonly unknown[], depth: number): unknown[] {
    const taken: unknown[] = []
    for (const item of items) {
      if (!hasRoom()) break
      taken.push(take(item, depth))
    }
    return taken
  }

  /** Takes plain fields before nested ones, so that a long list does not push them out. The order stays. */
  function takeFields(fields: Fields, depth: number): Fields {
    const taken: Fields = {}
    for (const name in fields) {
      if (!hasRoom()) break
      taken[name] = isFields(fields[name]) ? null : take(fields[name], depth)
    }
    for (const name in taken) {
      if (isFields(fields[name])) taken[name] = take(fields[name], depth)
    }
    return taken
  }

  return { value: take(result, 0), isCut }
}
