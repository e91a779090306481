import type { Entity } from './chat.ts'
import type { FormattedText } from './clean-text.ts'

/** The entities that Telegram finds in every text; earlier ones take precedence. */
const DETECTED: readonly { type: Entity['type']; pattern: RegExp }[] = [
  {
    type: 'url',
    pattern: /(?:https?:\/\/|(?<![\w@.])(?:t\.me|www\.[\w-]+)\b)[^\s<>"«»]*[^\s<>"«».,:;!?)'،؛؟]/gi,
  },
  { type: 'email', pattern: /(?<![\w.])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g },
  { type: 'mention', pattern: /(?<![\w@/])@[A-Za-z]\w{2,31}\b/g },
  { type: 'hashtag', pattern: /(?<![\p{L}\p{N}_#])#(?=[^\s]*\p{L})[\p{L}\p{M}\p{N}_\u200c]{1,256}/gu },
  {
    type: 'bot_command',
    pattern: /(?<![\p{L}\p{N}_/<>])\/[A-Za-z0-9_]{1,64}(?:@\w{3,32})?(?![\p{L}\p{N}_/<>])/gu,
  },
  { type: 'phone_number', pattern: /(?<![\w+])\+\d{10,14}(?!\w)/g },
]

const OPAQUE = new Set<Entity['type']>(['code', 'pre', 'text_link', 'text_mention', 'custom_emoji'])

/** Adds links, commands, mentions and the like to the entities, except inside code and links. */
export function withDetectedEntities({ text, entities }: FormattedText): FormattedText {
  const taken = entities.filter((entity) => OPAQUE.has(entity.type))
  const all = [...entities]
  for (const { type, pattern } of DETECTED) {
    for (const match of text.matchAll(pattern)) {
      const found: Entity = { type, offset: match.index, length: match[0].length }
      if (taken.some((other) => overlap(other, found))) continue
      taken.push(found)
      all.push(found)
    }
  }
  return { text, entities: all.sort((a, b) => a.offset - b.offset || b.length - a.length) }
}

function overlap(a: Entity, b: Entity): boolean {
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length
}
