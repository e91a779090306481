import type { Entity } from './chat.ts'

export type FormattedText = { text: string; entities: Entity[] }

/** U+2028 to U+202E (so RLE, LRE, PDF, RLO, LRO) and three combining marks that draw over other lines. */
const REMOVED = /[\u2028-\u202e\r]|\u0333|\u033f|\u030a/
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/
const MARKS = /[\u200e\u200f](?=[\u200e\u200f])/g
const NOTHING_VISIBLE = /^(?:[\s\u00ad\u200b-\u200f\u2060-\u206f\ufeff]|\u034f)*$/

/**
 * Text as Telegram's server stores it: control characters become spaces, direction embeddings are removed, of
 * several direction marks in a row all but the last become ZWNJ, and both ends are trimmed. Entities are
 * moved along; those without any visible letter are dropped.
 */
export function cleanText(source: FormattedText): FormattedText {
  const moved = new Uint32Array(source.text.length + 1)
  let text = ''
  for (let i = 0; i < source.text.length; i++) {
    moved[i] = text.length
    const char = source.text.charAt(i)
    if (CONTROL.test(char) && char !== '\r') text += ' '
    else if (!REMOVED.test(char)) text += char
  }
  moved[source.text.length] = text.length
  text = text.replace(MARKS, '\u200c')
  if (NOTHING_VISIBLE.test(text)) return { text: '', entities: [] }

  const start = text.length - text.trimStart().length
  const end = text.trimEnd().length
  const place = (offset: number) => Math.min(Math.max((moved[offset] ?? text.length) - start, 0), end - start)
  text = text.slice(start, end)
  const entities: Entity[] = []
  for (const entity of source.entities) {
    const from = place(entity.offset)
    const to = place(entity.offset + entity.length)
    if (text.slice(from, to).trim() === '') continue
    entities.push({ ...entity, offset: from, length: to - from })
  }
  return { text, entities }
}

/** Length in code points, as Telegram's limits count it. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
