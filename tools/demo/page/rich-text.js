import { button, h } from './dom.js'
import { nestEntities } from './entities.js'
import { icon } from './icons.js'
import { safeAddress } from './links.js'

/** @import { Entity } from '../api.ts' */
/** @import { Piece } from './entities.js' */

/**
 * The effects of taps inside a message's text.
 *
 * @typedef {{
 *   t: import('./texts.js').Texts,
 *   say: (text: string) => void,
 *   copy: (text: string) => void,
 *   follow: (url: string, shown: string) => boolean,
 * }} TextActions
 * `follow` returns whether it handled the link.
 */

/** @type {Partial<Record<Entity['type'], keyof HTMLElementTagNameMap>>} */
const plainTags = { bold: 'strong', italic: 'em', underline: 'u', strikethrough: 's' }

/**
 * A message's text as DOM nodes. Every line is a block with its own direction: Chromium would mirror brackets
 * behind an empty line.
 *
 * @param {string} text
 * @param {readonly Entity[] | undefined} entities
 * @param {TextActions} actions
 */
export function richText(text, entities, actions) {
  const lines = linesOf(nestEntities(text, entities)).map((line) => h('div', {}, ...draw(line, actions)))
  return h('div', { class: 'text', dir: 'auto' }, ...lines)
}

/** Splits text into lines, but no formatted piece. @param {Piece[]} pieces @returns {Piece[][]} */
function linesOf(pieces) {
  /** @type {Piece[][]} */
  const lines = []
  let isOpen = false
  const cut = pieces.map((piece) => (typeof piece === 'string' ? piece.split(/(?<=\n)/) : [piece]))
  for (const piece of cut.flat()) {
    if (isOpen) lines.at(-1)?.push(piece)
    else lines.push([piece])
    isOpen = typeof piece !== 'string' || !piece.endsWith('\n')
  }
  return lines
}

/** @param {Piece[]} pieces @param {TextActions} actions @returns {(Node | string)[]} */
function draw(pieces, actions) {
  return pieces.map((piece) => {
    if (typeof piece === 'string') return piece
    const { entity, text } = piece
    const children = draw(piece.children, actions)
    const tag = plainTags[entity.type]
    if (tag) return h(tag, {}, ...children)
    switch (entity.type) {
      case 'spoiler':
        return spoiler(children, actions)
      case 'code':
        return pressable('code', { class: 'code', title: actions.t.copy }, () => actions.copy(text), children)
      case 'pre':
        return preformatted(entity, text, children, actions)
      case 'blockquote':
        return h('blockquote', { dir: 'auto' }, ...children)
      case 'expandable_blockquote':
        return expandableQuote(children, actions)
      case 'bot_command':
        return pressable('span', { class: 'command' }, () => actions.say(text), children)
      case 'text_link':
        return link(entity.url ?? '', text, children, actions)
      case 'url':
        return link(text, text, children, actions)
      case 'email':
        return link(`mailto:${text}`, text, children, actions)
      case 'phone_number':
        return link(`tel:${text}`, text, children, actions)
      case 'mention':
        return link(`https://t.me/${text.slice(1)}`, text, children, actions)
      case 'hashtag':
      case 'text_mention':
        return h('span', { class: 'mention' }, ...children)
      case 'date_time':
        return h('time', { datetime: new Date((entity.unix_time ?? 0) * 1000).toISOString() }, ...children)
      default:
        return h('span', {}, ...children)
    }
  })
}

/**
 * A pressable element that can break across lines like text, which a `<button>` cannot.
 *
 * @param {'span' | 'code'} tag @param {Record<string, unknown>} attributes
 * @param {() => void} press @param {(Node | string)[]} children
 */
function pressable(tag, attributes, press, children) {
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    press()
  }
  return h(tag, { role: 'button', tabindex: 0, onclick: press, onkeydown, ...attributes }, ...children)
}

/** @param {(Node | string)[]} children @param {TextActions} actions */
function spoiler(children, { t }) {
  const cover = h('span', { class: 'spoiler-text', 'aria-hidden': 'true' }, ...children)
  const attributes = { class: 'spoiler', 'aria-label': t.hiddenText, 'aria-expanded': 'false' }
  const element = pressable('span', attributes, reveal, [cover])
  function reveal() {
    element.classList.add('revealed')
    for (const name of ['role', 'tabindex', 'aria-label', 'aria-expanded']) element.removeAttribute(name)
    cover.removeAttribute('aria-hidden')
  }
  return element
}

/** @param {Entity} entity @param {string} text @param {(Node | string)[]} children @param {TextActions} actions */
function preformatted(entity, text, children, { t, copy }) {
  return h(
    'div',
    { class: 'pre', dir: 'ltr' },
    h(
      'div',
      { class: 'pre-head' },
      entity.language ?? '',
      button({ class: 'icon-button', label: t.copy, onclick: () => copy(text) }, icon('copy')),
    ),
    h('pre', { dir: 'auto' }, ...children),
  )
}

/** A quote folded to three lines; the arrow appears only if it is longer. @param {(Node | string)[]} children @param {TextActions} actions */
function expandableQuote(children, { t }) {
  const body = h('div', { class: 'quote-body' }, ...children)
  const toggle = button({ class: 'quote-toggle', label: t.expand, onclick: fold }, icon('down'))
  toggle.setAttribute('aria-expanded', 'false')
  const quote = h('blockquote', { class: 'expandable folded', dir: 'auto' }, body, toggle)
  function fold() {
    const folded = quote.classList.toggle('folded')
    toggle.setAttribute('aria-expanded', String(!folded))
    toggle.setAttribute('aria-label', folded ? t.expand : t.collapse)
  }
  body.addEventListener('click', ({ target }) => {
    const pressed = /** @type {Element} */ (target).closest('a, button, [role=button]')
    if (!pressed && !toggle.hidden && quote.classList.contains('folded')) fold()
  })
  new ResizeObserver(() => {
    if (quote.classList.contains('folded')) toggle.hidden = body.scrollHeight <= body.clientHeight + 1
  }).observe(body)
  return quote
}

/**
 * A link of this bot stays in the page; an unsafe one (`javascript:`) gets no address.
 *
 * @param {string} url @param {string} shown @param {(Node | string)[]} children @param {TextActions} actions
 */
function link(url, shown, children, { follow }) {
  const address = safeAddress(url) ?? (url.startsWith('tg:') ? '#' : undefined)
  const onclick = (/** @type {MouseEvent} */ event) => {
    if (follow(url, shown)) event.preventDefault()
  }
  return h(
    'a',
    { class: 'link', href: address, target: '_blank', rel: 'noopener noreferrer', onclick },
    ...children,
  )
}
