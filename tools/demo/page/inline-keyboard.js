import { h } from './dom.js'
import { icon } from './icons.js'

/** @import { ChatMessage, InlineButton } from '../api.ts' */

/**
 * The effects of a button: a callback may keep it spinning, the others happen in the page.
 *
 * @typedef {{
 *   tap: (messageId: number, row: number, column: number) => void,
 *   spins: (messageId: number, row: number, column: number) => boolean,
 *   copy: (text: string) => void,
 *   open: (url: string) => void,
 * }} ButtonActions
 */

/**
 * The buttons under a message. Rows run from left to right in every language, as in Telegram.
 *
 * @param {ChatMessage} message
 * @param {ButtonActions} actions
 */
export function inlineKeyboard(message, actions) {
  const rows = message.inlineKeyboard ?? []
  return h(
    'div',
    { class: 'inline-keyboard', role: 'group' },
    ...rows.map((row, rowIndex) =>
      h(
        'div',
        { class: `inline-row ${row.length > 4 ? 'crowded' : ''}` },
        ...row.map((button, columnIndex) => inlineButton(button, message.id, rowIndex, columnIndex, actions)),
      ),
    ),
  )
}

/** @param {InlineButton} button @param {number} id @param {number} row @param {number} column @param {ButtonActions} actions */
function inlineButton(button, id, row, column, actions) {
  const { text, style, callbackData, url, copyText, disabled } = button
  const spins = actions.spins(id, row, column)
  function press() {
    if (callbackData !== undefined) actions.tap(id, row, column)
    else if (copyText !== undefined) actions.copy(copyText)
    else if (url !== undefined) actions.open(url)
  }
  return h(
    'button',
    {
      type: 'button',
      class: `inline-button ${style ?? ''} ${spins ? 'spins' : ''}`,
      title: text,
      disabled: disabled ?? false,
      'aria-busy': spins,
      'data-callback': callbackData,
      'data-row': row,
      'data-column': column,
      onclick: press,
    },
    h('span', { class: 'inline-label', dir: 'auto' }, text),
    copyText !== undefined && icon('copy'),
    url !== undefined && icon('link'),
    h('span', { class: 'spinner', 'aria-hidden': 'true' }),
  )
}
