import type { Person } from '../domain/profile.ts'
import { type Button, MESSAGE_LIMIT, type Message as View } from '../telegram/message.ts'
import { isRightToLeft, type Language, perLanguage } from '../texts/languages.ts'
import type { SimpleTextKey, Translate } from '../texts/texts.ts'

export { type Button, MESSAGE_LIMIT, type Message as View } from '../telegram/message.ts'

/** This many buttons below a message fit on a phone. */
export const MOST_BUTTONS = 12
/** This many rows of buttons are offered in one message. Telegram refuses a much larger keyboard. */
export const MOST_ROWS = 50

/** A button that calls the bot with this data. */
export const button = (text: string, data: string, style?: 'primary' | 'success' | 'danger'): Button =>
  style ? { text, callback_data: data, style } : { text, callback_data: data }

/** The button to Telegram's own page for sending a link to a chat. */
export const shareButton = (t: Translate, link: string, text: string): Button => ({
  text: t.plain('button-share'),
  url: `https://t.me/share/url?url=${encodeURIComponent(link)}&text=${encodeURIComponent(text)}`,
})

/** The button that copies a link. */
export const copyButton = (t: Translate, link: string): Button => ({
  text: t.plain('button-copy-link'),
  copy_text: { text: link },
})

type Part = string | readonly string[] | undefined | false
const joined = (parts: readonly Part[], joint: string) => parts.flat().filter(Boolean).join(joint)
/** The same text without quotations that have to be opened, for large text. */
export const unfolded = (html: string): string => html.replace(/<\/?blockquote[^<>]*>/g, '')

/** Joins lines, and leaves absent ones out. */
export const lines = (...parts: Part[]): string => joined(parts, '\n')
/** The same with an empty line between two. */
export const paragraphs = (...parts: Part[]): string => joined(parts, '\n\n')

/** Whose details are asked: a line above the question, only where there are several people. */
export const whose = (t: Translate, { role }: Person): string | undefined =>
  role && t('profile-role', { role: role.title })

/** A formatter for the hour and minute in Tehran, with more parts where they are wanted. */
function tehranTime(more: Intl.DateTimeFormatOptions) {
  const clock = { timeZone: 'Asia/Tehran', hour: '2-digit', minute: '2-digit', ...more } as const
  const format = perLanguage(({ locale }) => new Intl.DateTimeFormat(locale, clock))
  return (t: Translate, at: number): string => format(t.language).format(at)
}

/** «۱۴:۰۵» */
export const timeText = tehranTime({})
/** The same with day and month. */
export const dayTimeText = tehranTime({ day: 'numeric', month: 'long' })
/** The same with the year, for texts that are read long after. */
export const dateTimeText = tehranTime({ day: 'numeric', month: 'long', year: 'numeric' })

/** Lays a row out in reading order: Telegram puts the first button left in every language. */
export const inReadingOrder = <T>(row: readonly T[], language: Language): T[] =>
  isRightToLeft(language) ? [...row].reverse() : [...row]

/** Cuts a list into pieces of at most `most` items. */
export const chunksOf = <T>(list: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / most) }, (_, at) => list.slice(at * most, (at + 1) * most))

/** The wanted screen of a list, or the nearest one that exists, and the number of items before it. */
export function screenOf(count: number, most: number, wanted: number) {
  const last = Math.max(1, Math.ceil(count / most))
  const screen = Math.max(1, Math.min(wanted, last))
  return { screen, last, before: (screen - 1) * most }
}

/** Cuts buttons into rows of about equal length, each in reading order. */
export function rowsOf(buttons: readonly Button[], most: number, language: Language): Button[][] {
  const perRow = Math.ceil(buttons.length / Math.ceil(buttons.length / most))
  return chunksOf(buttons, perRow).map((row) => inReadingOrder(row, language))
}

const PAGES = { previous: 'button-page-previous', next: 'button-page-next' } as const
/** The labels of these buttons beside other buttons. */
export const BRIEF_LABELS = { previous: 'button-list-back', next: 'button-list-next' } as const

/** The buttons to the previous and to the next screen, where these exist; no row where neither does. */
export function pageRow(
  t: Translate,
  { screen, last }: { screen: number; last: number },
  dataOf: (screen: number) => string,
  labels: { previous: SimpleTextKey; next: SimpleTextKey } = PAGES,
): Button[][] {
  const previous = screen > 1 && button(t.plain(labels.previous), dataOf(screen - 1))
  const next = screen < last && button(t.plain(labels.next), dataOf(screen + 1))
  const row = [previous, next].filter((way) => way !== false)
  return row.length === 0 ? [] : [inReadingOrder(row, t.language)]
}

/** Puts a word before the text of a message. Where both do not fit, the word is sent before the message. */
export function withTextAbove(view: View, word: string | undefined): View {
  if (word === undefined) return view
  const text = `${word}\n\n${view.text}`
  return fitsMessage(text) ? { ...view, text } : { ...view, before: [word, ...(view.before ?? [])] }
}

/** Length as Telegram counts it: code points of the text without its tags. */
export const visibleLength = (html: string): number =>
  [...html.replace(/<[^>]*>/g, '').replace(/&\w+;/g, 'x')].length

/** Whether Telegram takes it as one message. With its tags it is only longer, so it is rarely counted. */
export const fitsMessage = (html: string): boolean =>
  html.length <= MESSAGE_LIMIT || visibleLength(html) <= MESSAGE_LIMIT

/** Packs paragraphs into as few messages as possible. Only a paragraph that alone is too long is cut. */
export function packMessages(paragraphs: readonly string[], limit = MESSAGE_LIMIT): string[] {
  const packing: Packing = { messages: [], length: 0 }
  for (const paragraph of paragraphs.flatMap((text) => cut(text, limit))) pack(packing, paragraph, limit)
  return packing.messages
}

/** Paragraphs as one message. What does not fit is sent before it, so the buttons are below the last part. */
export function inMessages(...parts: Part[]): Pick<View, 'text' | 'before'> {
  const messages = packMessages(parts.flat().filter((part): part is string => Boolean(part)))
  return { text: messages.at(-1) ?? '', before: messages.slice(0, -1) }
}

/** `length`: the length of the last message. */
export type Packing = { messages: string[]; length: number }

/** Adds a paragraph to the last message, or to a new one; `false` where `mayBegin` forbids a new one. */
export function pack(packing: Packing, paragraph: string, limit: number, mayBegin = true): boolean {
  const { messages } = packing
  const size = visibleLength(paragraph)
  const joint = packing.length === 0 ? '' : '\n\n'
  if (messages.length > 0 && packing.length + joint.length + size <= limit) {
    messages.push(`${messages.pop()}${joint}${paragraph}`)
    packing.length += joint.length + size
  } else if (mayBegin) {
    messages.push(paragraph)
    packing.length = size
  } else return false
  return true
}

/** A paragraph is cut between tags, and between words with their space. An endless word is cut, too. */
const PIECES = /<[^>]+>|(?:&\w+;|[^<\s]){1,500}\s*|\s+/gu

/** Cuts a paragraph at white space. Open tags are closed, and opened again in the next message. */
function cut(text: string, limit: number): string[] {
  if (visibleLength(text) <= limit) return [text]
  const messages: string[] = []
  const open: string[] = []
  let message = ''
  let length = 0
  for (const piece of text.match(PIECES) ?? []) {
    const size = visibleLength(piece)
    if (length > 0 && length + size > limit) {
      messages.push(message.trim() + open.map(closing).reverse().join(''))
      message = open.join('')
      length = 0
    }
    if (piece.startsWith('</')) open.pop()
    else if (piece.startsWith('<')) open.push(piece)
    message += piece
    length += size
  }
  return [...messages, message.trim()]
}

const closing = (tag: string): string => `</${/\w+/.exec(tag)?.[0]}>`
