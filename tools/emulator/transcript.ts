import type { CallbackAnswer } from './chat.ts'
import type { PersonState } from './state.ts'
import type { WireMessage } from './wire.ts'
import { messagesOf, type World } from './world.ts'

/** A chat as text, oldest first, for the message of a failed test. */
export function transcript(world: World, person: PersonState, toasts: readonly CallbackAnswer[]): string {
  const lines = messagesOf(world, person.id).map(({ message }) => describe(message))
  const keyboard = person.replyKeyboard?.rows
    .map((row) => row.map(({ text }) => `[${text}]`).join(' '))
    .join('\n    ')
  const shown = toasts
    .filter(({ text }) => text)
    .map(({ text, showAlert }) => `${showAlert ? 'alert' : 'toast'}: ${text}`)
  return [
    `chat ${person.id}${person.blocked ? ', blocked' : ''}`,
    ...lines,
    ...(keyboard ? [`  under the input:\n    ${keyboard}`] : []),
    ...shown,
  ].join('\n')
}

function describe(message: WireMessage): string {
  const { message_id, from, edit_date, text, caption, photo, document, voice, sticker, location, contact } =
    message
  const media = [
    photo && '<photo>',
    document && `<document ${document.file_name}>`,
    voice && '<voice>',
    sticker && '<sticker>',
    location && '<location>',
    contact && '<contact>',
  ].filter(Boolean)
  const side = from.is_bot ? 'bot' : 'person'
  const words = [...media, text ?? caption].filter(Boolean).join(' ').replaceAll('\n', '\n    ')
  const rows = message.reply_markup?.inline_keyboard ?? []
  const buttons = rows.map((row) =>
    row.map((button) => `[${button.text} | ${button.callback_data ?? '-'}]`).join(' '),
  )
  return [`  ${message_id} ${side}${edit_date ? ' (edited)' : ''}: ${words}`, ...buttons].join('\n    ')
}
