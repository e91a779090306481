import type { Entity } from './chat.ts'
import type { FormattedText } from './clean-text.ts'
import { decodeReference } from './html-entities.ts'
import { checkedLink } from './links.ts'
import { badRequest } from './refusal.ts'

const TYPE_BY_TAG: Record<string, Entity['type']> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  u: 'underline',
  ins: 'underline',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
  pre: 'pre',
  code: 'code',
  blockquote: 'blockquote',
  a: 'text_link',
  'tg-emoji': 'custom_emoji',
  'tg-time': 'date_time',
}

type OpenTag = { name: string; attributes: Map<string, string>; offset: number }

/**
 * Reads Telegram's HTML mode into text and entities with UTF-16 offsets. Refuses exactly what Telegram
 * refuses, with the same error texts; their byte offsets count the UTF-8 bytes of the source.
 */
export function parseHtml(source: string): FormattedText {
  const open: OpenTag[] = []
  const entities: Entity[] = []
  let text = ''
  let pos = 0
  while (pos < source.length) {
    const char = source.charAt(pos)
    const reference = char === '&' ? decodeReference(source, pos) : undefined
    if (reference) {
      text += reference.char
      pos = reference.end
    } else if (char !== '<') {
      text += char
      pos++
    } else if (source[pos + 1] === '/') {
      const tag = open.at(-1)
      pos = closeTag(source, pos, tag)
      open.pop()
      const entity = tag && text.length > tag.offset ? entityOf(tag, text) : undefined
      if (tag && entity) addEntity(entities, entity, tag)
    } else {
      const tag = openTag(source, pos)
      open.push({ name: tag.name, attributes: tag.attributes, offset: text.length })
      pos = tag.end
    }
  }
  const left = open.at(-1)
  if (left) throw unparsable(`Can't find end tag corresponding to start tag "${left.name}"`)
  return { text, entities: inOrder(entities) }
}

const unparsable = (message: string) => badRequest(`can't parse entities: ${message}`)
const byteOffset = (source: string, pos: number) => Buffer.byteLength(source.slice(0, pos))
/** The end of the text counts as a space, like the terminating zero in Telegram's parser. */
const isSpace = (char: string | undefined) => char === undefined || /[\s\0]/.test(char)

function openTag(source: string, begin: number) {
  const at = `at byte offset ${byteOffset(source, begin)}`
  let pos = begin + 1
  while (!isSpace(source[pos]) && source[pos] !== '>') pos++
  if (pos >= source.length) throw unparsable(`Unclosed start tag ${at}`)
  const name = source.slice(begin + 1, pos).toLowerCase()
  if (!Object.hasOwn(TYPE_BY_TAG, name)) throw unparsable(`Unsupported start tag "${name}" ${at}`)
  const attributes = new Map<string, string>()
  while (source[pos] !== '>') {
    while (pos < source.length && isSpace(source[pos])) pos++
    if (source[pos] === '>') break
    const attribute = readAttribute(source, pos, name, at)
    attributes.set(attribute.name, attribute.value)
    pos = attribute.end
  }
  if (name === 'span' && attributes.get('class') !== 'tg-spoiler') {
    throw unparsable(`Tag "span" must have class "tg-spoiler" ${at}`)
  }
  return { name, attributes, end: pos + 1 }
}

function readAttribute(source: string, begin: number, tag: string, at: string) {
  const unclosed = () => unparsable(`Unclosed start tag "${tag}" ${at}`)
  let pos = begin
  while (!isSpace(source[pos]) && source[pos] !== '=' && source[pos] !== '>') pos++
  const name = source.slice(begin, pos).toLowerCase()
  if (pos >= source.length) throw unclosed()
  if (name === '') throw unparsable(`Empty attribute name in the tag "${tag}" ${at}`)
  while (pos < source.length && isSpace(source[pos])) pos++
  if (source[pos] !== '=') {
    if (pos >= source.length) throw unclosed()
    return { name, value: '', end: pos }
  }
  pos++
  while (pos < source.length && isSpace(source[pos])) pos++
  const quote = source[pos]
  if (quote === undefined) throw unclosed()
  let value = ''
  if (quote === '"' || quote === "'") {
    pos++
    while (pos < source.length && source[pos] !== quote) {
      const reference = source[pos] === '&' ? decodeReference(source, pos) : undefined
      value += reference?.char ?? source.charAt(pos)
      pos = reference?.end ?? pos + 1
    }
    pos++
    if (pos >= source.length) throw unclosed()
  } else {
    const token = pos
    while (/[A-Za-z0-9.-]/.test(source[pos] ?? '')) pos++
    value = source.slice(token, pos).toLowerCase()
    if (!isSpace(source[pos]) && source[pos] !== '>') {
      throw unparsable(`Unexpected end of name token at byte offset ${byteOffset(source, token)}`)
    }
    if (pos >= source.length) throw unclosed()
  }
  return { name, value, end: pos }
}

function closeTag(source: string, begin: number, tag: OpenTag | undefined): number {
  const at = `at byte offset ${byteOffset(source, begin)}`
  if (!tag) throw unparsable(`Unexpected end tag ${at}`)
  let pos = begin + 2
  while (!isSpace(source[pos]) && source[pos] !== '>') pos++
  const found = source.slice(begin + 2, pos)
  while (pos < source.length && isSpace(source[pos])) pos++
  if (source[pos] !== '>') throw unparsable(`Unclosed end tag ${at}`)
  if (found !== '' && found !== tag.name) {
    throw unparsable(`Unmatched end tag ${at}, expected "</${tag.name}>", found "</${found}>"`)
  }
  return pos + 1
}

function entityOf(tag: OpenTag, text: string): Entity | undefined {
  const type = TYPE_BY_TAG[tag.name]
  if (!type) return undefined
  const entity: Entity = { type, offset: tag.offset, length: text.length - tag.offset }
  if (type === 'blockquote' && tag.attributes.has('expandable'))
    return { ...entity, type: 'expandable_blockquote' }
  if (type === 'text_link') {
    const url = checkedLink(tag.attributes.get('href') || text.slice(tag.offset))
    return url === undefined ? undefined : { ...entity, url }
  }
  if (type === 'date_time') {
    const unixTime = Number(tag.attributes.get('unix'))
    const format = tag.attributes.get('format')
    if (!Number.isSafeInteger(unixTime)) return undefined
    return { ...entity, unix_time: unixTime, ...(format ? { date_time_format: format } : {}) }
  }
  return entity
}

/** `<pre><code class="language-x">` is one entity, in either order of nesting. */
function addEntity(entities: Entity[], entity: Entity, tag: OpenTag): void {
  const inner = entities.at(-1)
  const isPair =
    (inner?.type === 'code' && entity.type === 'pre') || (inner?.type === 'pre' && entity.type === 'code')
  const language =
    tag.name === 'code' ? tag.attributes.get('class')?.match(/^language-(.+)$/)?.[1] : undefined
  if (inner && isPair && inner.offset === entity.offset && inner.length === entity.length) {
    const named = language ?? inner.language
    if (named)
      entities.splice(-1, 1, { type: 'pre', offset: entity.offset, length: entity.length, language: named })
    else entities.push(entity)
    return
  }
  entities.push(language ? { ...entity, language } : entity)
}

/** Outer before inner, left before right; a `code` outside `pre` loses its language. */
function inOrder(entities: Entity[]): Entity[] {
  return entities
    .reverse()
    .map((entity) => {
      if (entity.type !== 'code') return entity
      return { type: entity.type, offset: entity.offset, length: entity.length }
    })
    .sort((a, b) => a.offset - b.offset || b.length - a.length)
}
