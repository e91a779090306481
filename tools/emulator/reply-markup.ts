import type { ButtonStyle, ReplyButton, ReplyKeyboard } from './chat.ts'
import { codePoints } from './clean-text.ts'
import { checkedLink } from './links.ts'
import { badRequest } from './refusal.ts'
import type { WireInlineButton, WireInlineKeyboard } from './wire.ts'

/** Values of `reply_markup`: an inline keyboard belongs to the message, the others to the chat's input. */
export type ReplyMarkup =
  | { kind: 'inline'; markup: WireInlineKeyboard }
  | { kind: 'keyboard'; keyboard: Omit<ReplyKeyboard, 'messageId'> }
  | { kind: 'remove' }
  | { kind: 'force'; placeholder?: string }

const MAX_ROW = 12
const MAX_BUTTONS = 300
/** The limit of Telegram's backend; the Bot API server itself would let more pass. */
const MAX_INLINE_BUTTONS = 100
const MAX_INLINE_BYTES = 10_240
const STYLES = new Set(['primary', 'success', 'danger'])

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Checks a keyboard as Telegram does: surplus buttons of a row are dropped, wrong ones are refused. */
export function parseReplyMarkup(value: unknown): ReplyMarkup | undefined {
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) throw badRequest('object expected as reply markup')
  if (value.inline_keyboard !== undefined) return parseInline(value.inline_keyboard)
  if (value.keyboard !== undefined) return parseKeyboard(value)
  if (value.remove_keyboard === true) return { kind: 'remove' }
  if (value.force_reply === true) return { kind: 'force', ...parsePlaceholder(value) }
  return undefined
}

function parseInline(rows: unknown): ReplyMarkup | undefined {
  const what = 'inline keyboard'
  const inline = cut(asRows(rows, what).map((row) => row.map(inlineButton)))
  const markup = { inline_keyboard: inline }
  if (inline.length === 0) return undefined
  if (
    inline.flat().length > MAX_INLINE_BUTTONS ||
    Buffer.byteLength(JSON.stringify(markup)) > MAX_INLINE_BYTES
  ) {
    throw badRequest('reply markup is too long')
  }
  return { kind: 'inline', markup }
}

function inlineButton(button: unknown): WireInlineButton {
  const fail = (why: string) => badRequest(`can't parse inline keyboard button: ${why}`)
  if (!isObject(button)) throw fail('InlineKeyboardButton must be an Object')
  const base = { text: buttonText(button, fail), ...style(button, fail) }
  if (typeof button.callback_data === 'string') {
    const bytes = Buffer.byteLength(button.callback_data)
    if (bytes < 1 || bytes > 64) throw badRequest('BUTTON_DATA_INVALID')
    return { ...base, callback_data: button.callback_data }
  }
  if (typeof button.url === 'string') {
    const url = checkedLink(button.url)
    if (url === undefined) throw badRequest('BUTTON_URL_INVALID')
    return { ...base, url }
  }
  if (isObject(button.copy_text)) {
    const text = String(button.copy_text.text ?? '')
    if (text === '' || codePoints(text) > 256) throw badRequest('BUTTON_COPY_TEXT_INVALID')
    return { ...base, copy_text: { text } }
  }
  if (isObject(button.disabled)) return { ...base, disabled: {} }
  throw fail('Text buttons are unallowed in the inline keyboard')
}

function parseKeyboard(value: Json): ReplyMarkup {
  const fail = (why: string) => badRequest(`can't parse keyboard button: ${why}`)
  const button = (source: unknown): ReplyButton => {
    if (typeof source === 'string') return { text: source }
    if (!isObject(source)) throw fail('KeyboardButton must be an Object')
    const contact = source.request_contact === true ? { requestContact: true as const } : {}
    return { text: buttonText(source, fail), ...contact, ...style(source, fail) }
  }
  const rows = cut(asRows(value.keyboard, 'keyboard').map((row) => row.map(button)))
  return {
    kind: 'keyboard',
    keyboard: {
      rows,
      ...(value.resize_keyboard === true ? { resize: true } : {}),
      ...(value.one_time_keyboard === true ? { oneTime: true } : {}),
      ...(value.is_persistent === true ? { persistent: true } : {}),
      ...parsePlaceholder(value),
    },
  }
}

function asRows(rows: unknown, what: string): unknown[][] {
  if (!Array.isArray(rows)) throw badRequest(`can't parse ${what}: Expected an Array of Arrays`)
  for (const row of rows) {
    if (!Array.isArray(row)) throw badRequest(`can't parse ${what}: Expected an Array of Arrays`)
  }
  return rows
}

function cut<B extends { text: string }>(rows: B[][]): B[][] {
  let left = MAX_BUTTONS
  const kept: B[][] = []
  for (const row of rows) {
    const buttons = row.filter(({ text }) => text !== '').slice(0, Math.min(MAX_ROW, left))
    left -= buttons.length
    if (buttons.length > 0) kept.push(buttons)
  }
  return kept
}

type Fail = (why: string) => Error

function buttonText(button: Json, fail: Fail): string {
  if (typeof button.text !== 'string') throw fail('Can\'t find field "text"')
  return button.text
}

function style(button: Json, fail: Fail): { style?: ButtonStyle } {
  if (button.style === undefined || button.style === '') return {}
  if (typeof button.style !== 'string' || !STYLES.has(button.style))
    throw fail('invalid button style specified')
  return { style: button.style as ButtonStyle }
}

function parsePlaceholder(value: Json): { placeholder?: string } {
  const placeholder = value.input_field_placeholder
  if (typeof placeholder !== 'string' || placeholder === '') return {}
  return { placeholder: [...placeholder].slice(0, 64).join('') }
}
