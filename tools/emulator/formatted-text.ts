import type { Arguments } from './arguments.ts'
import type { Entity } from './chat.ts'
import { cleanText, codePoints, type FormattedText } from './clean-text.ts'
import { withDetectedEntities } from './detect-entities.ts'
import { parseHtml } from './html.ts'
import { badRequest } from './refusal.ts'

const MAX_SOURCE_BYTES = 32_768
export const MAX_TEXT = 4096
const MAX_CAPTION = 1024

/** The text of a message: read by its parse mode, cleaned, and checked for its length. */
export function readText(args: Arguments): FormattedText {
  const read = readFormatted(args, 'text', 'entities')
  if (read.text === '') throw badRequest('message text is empty')
  if (codePoints(read.text) > MAX_TEXT) throw badRequest('message is too long')
  return read
}

/** The caption under a photo or document; it may be empty. */
export function readCaption(args: Arguments): FormattedText {
  const read = readFormatted(args, 'caption', 'caption_entities')
  if (codePoints(read.text) > MAX_CAPTION) throw badRequest('message caption is too long')
  return read
}

function readFormatted(args: Arguments, textName: string, entitiesName: string): FormattedText {
  const source = args.text(textName)
  if (Buffer.byteLength(source) > MAX_SOURCE_BYTES) throw badRequest('text is too long')
  const mode = args.text('parse_mode').toLowerCase()
  // Telegram has two other modes; this bot uses HTML only, so they count as a mistake here.
  if (mode !== '' && mode !== 'html' && mode !== 'none') throw badRequest('unsupported parse_mode')
  const parsed =
    mode === 'html'
      ? parseHtml(source)
      : { text: source, entities: givenEntities(args.object(entitiesName), source) }
  return withDetectedEntities(cleanText(parsed))
}

function givenEntities(value: unknown, text: string): Entity[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw badRequest("can't parse MessageEntity: Expected an Array")
  return value.filter((entity): entity is Entity => {
    const { offset, length, type } = entity ?? {}
    const fits = Number.isInteger(offset) && Number.isInteger(length) && offset >= 0 && length > 0
    return typeof type === 'string' && fits && offset + length <= text.length
  })
}
