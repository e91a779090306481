import { fill, h } from './dom.js'
import { icon } from './icons.js'
import { inlineKeyboard } from './inline-keyboard.js'
import { mediaOf, summaryOf } from './media.js'
import { richText } from './rich-text.js'

/** @import { ChatMessage } from '../api.ts' */
/** @import { ChatContext } from './chat-context.js' */

/**
 * One message of the chat. `update` redraws only the changed parts, so that quotes stay open and buttons keep
 * spinning and keep the focus.
 *
 * @param {ChatMessage} first
 * @param {ChatContext} context
 */
export function createMessageView(first, context) {
  let message = first
  const bubble = h('div', { class: 'bubble' })
  const keyboard = h('div', { class: 'keyboard-slot' })
  const element = h(
    'article',
    {
      class: `message ${message.from} ${message.protected ? 'protected' : ''} ${message.sticker ? 'bare' : ''}`,
      'data-message-id': message.id,
      'data-from': message.from,
      'aria-label': context.t.sentBy(context.senderOf(message), context.format.time(message.date)),
    },
    bubble,
    keyboard,
  )
  bubble.addEventListener('contextmenu', (event) => context.menu(message, event))

  function drawBubble() {
    const body = shownText(message)
    const entities = message.text === undefined ? message.captionEntities : message.entities
    const media = mediaOf(message, context)
    bubble.classList.toggle('with-photo', message.photo !== undefined)
    bubble.classList.toggle('only-media', body === undefined)
    fill(
      bubble,
      replyQuote(message.replyTo, context),
      media,
      h(
        'div',
        { class: `body ${hasRightToLeft(body ?? '') ? 'right-to-left' : ''}` },
        body !== undefined && richText(body, entities, context),
        meta(message, context),
      ),
    )
  }

  function drawKeyboard() {
    const focused = /** @type {HTMLElement | null} */ (
      keyboard.contains(document.activeElement) ? document.activeElement : null
    )
    element.classList.toggle('with-buttons', message.inlineKeyboard !== undefined)
    fill(keyboard, message.inlineKeyboard && inlineKeyboard(message, context))
    if (!focused) return
    const { row, column } = focused.dataset
    const again =
      keyboard.querySelector(`[data-row="${row}"][data-column="${column}"]`) ??
      keyboard.querySelector('button')
    if (again instanceof HTMLElement) again.focus({ preventScroll: true })
  }

  drawBubble()
  drawKeyboard()
  return {
    element,
    /** @param {ChatMessage} next @returns {{ text: boolean, keyboard: boolean }} what changed */
    update(next) {
      const before = message
      message = next
      const changed = {
        text: !same(without(before), without(next)),
        keyboard: !same(before.inlineKeyboard, next.inlineKeyboard),
      }
      if (changed.text) drawBubble()
      if (changed.keyboard) drawKeyboard()
      return changed
    },
    drawKeyboard,
    get message() {
      return message
    },
  }
}

/** @typedef {ReturnType<typeof createMessageView>} MessageView */

/** Telegram's apps show a followed link as the bare command. @param {ChatMessage} message */
function shownText({ from, text, caption }) {
  const shown = text ?? caption
  return from === 'person' ? shown?.replace(/^\/start [\w-]+$/, '/start') : shown
}

/** Whether a line of the text may end at the place of the time. @param {string} text */
function hasRightToLeft(text) {
  return /(?=\p{Letter})[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text)
}

/** @param {ChatMessage} message */
function without({ inlineKeyboard: _, ...rest }) {
  return rest
}

/** @param {unknown} a @param {unknown} b */
function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b)
}

/**
 * The time and, for a person's own message, its status. Edits by a bot are not marked, as in Telegram.
 *
 * @param {ChatMessage} message @param {ChatContext} context
 */
function meta(message, { t, format }) {
  const isOwn = message.from === 'person'
  return h(
    'span',
    { class: 'meta' },
    isOwn && message.editDate !== undefined && h('span', { class: 'edited' }, t.edited),
    h('time', { datetime: new Date(message.date).toISOString() }, format.time(message.date)),
    isOwn && icon('check'),
  )
}

/** @param {number | undefined} id @param {ChatContext} context */
function replyQuote(id, { t, find, show }) {
  const original = id === undefined ? undefined : find(id)
  if (!original) return undefined
  return h(
    'button',
    { type: 'button', class: 'reply-quote', dir: 'auto', onclick: () => show(original.id) },
    summaryOf(original, t),
  )
}
