/** @import { Entity } from '../api.ts' */

/**
 * A piece of a message: plain text, or formatted pieces inside an entity.
 *
 * @typedef {string | { entity: Entity, text: string, children: Piece[] }} Piece
 */

const blocks = new Set(['pre', 'blockquote', 'expandable_blockquote'])

/**
 * Turns flat entities (offsets in UTF-16 code units) into nested pieces. Entities that overlap without
 * nesting are cut at the border; parts outside of the text are ignored.
 *
 * @param {string} text
 * @param {readonly Entity[]} [entities]
 * @returns {Piece[]}
 */
export function nestEntities(text, entities = []) {
  const sorted = entities
    .map((entity) => ({ entity, from: Math.max(0, entity.offset), to: entity.offset + entity.length }))
    .map((range) => ({ ...range, to: Math.min(range.to, text.length) }))
    .filter(({ from, to }) => to > from)
    .sort(byStart)
  return nest(text, 0, text.length, sorted)
}

/** @typedef {{ entity: Entity, from: number, to: number }} Range */

/** Outer before inner; a quote or code block comes first when both cover the same text. @param {Range} a @param {Range} b */
function byStart(a, b) {
  return (
    a.from - b.from || b.to - a.to || Number(blocks.has(b.entity.type)) - Number(blocks.has(a.entity.type))
  )
}

/** @param {string} text @param {number} start @param {number} end @param {Range[]} ranges @returns {Piece[]} */
function nest(text, start, end, ranges) {
  /** @type {Piece[]} */
  const pieces = []
  const queue = [...ranges]
  let at = start
  let afterBlock = false

  /** @param {number} to */
  function plain(to) {
    // The block itself draws the line break behind it.
    const from = afterBlock && text[at] === '\n' ? at + 1 : at
    if (to > from) pieces.push(text.slice(from, to))
  }

  for (let range = queue.shift(); range; range = queue.shift()) {
    plain(range.from)
    /** @type {Range[]} */
    const inside = []
    while (queue[0] && queue[0].from < range.to) {
      const inner = /** @type {Range} */ (queue.shift())
      inside.push({ ...inner, to: Math.min(inner.to, range.to) })
      if (inner.to > range.to) insert(queue, { ...inner, from: range.to })
    }
    pieces.push({
      entity: range.entity,
      text: text.slice(range.from, range.to),
      children: nest(text, range.from, range.to, inside),
    })
    at = range.to
    afterBlock = blocks.has(range.entity.type)
  }
  plain(end)
  return pieces
}

/** @param {Range[]} queue @param {Range} range */
function insert(queue, range) {
  queue.push(range)
  queue.sort(byStart)
}
