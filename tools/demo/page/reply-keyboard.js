import { button, fill, h } from './dom.js'

/** @import { ReplyButton, ReplyKeyboard } from '../api.ts' */

/**
 * The bot's keyboard under the input. A new one opens on arrival, a one-time one folds after its first use.
 *
 * @param {(button: ReplyButton, keyboard: ReplyKeyboard) => void} press
 * @param {() => void} changed
 */
export function createReplyKeyboard(press, changed) {
  /** @type {ReplyKeyboard | undefined} */
  let keyboard
  let open = false
  const element = h('div', { class: 'reply-keyboard', role: 'group', hidden: true })

  function draw() {
    element.hidden = !keyboard || !open
    changed()
  }

  return {
    element,
    get exists() {
      return keyboard !== undefined
    },
    get isOpen() {
      return open
    },
    get placeholder() {
      return keyboard?.placeholder
    },
    toggle() {
      open = !open
      draw()
    },
    /** @param {ReplyKeyboard | undefined} next */
    update(next) {
      if (JSON.stringify(next) === JSON.stringify(keyboard)) return
      keyboard = next
      open = next !== undefined
      element.classList.toggle('tall', next !== undefined && !next.resize)
      const rows = (next?.rows ?? []).map((row) =>
        h(
          'div',
          { class: 'reply-row' },
          ...row.map((item) =>
            button(
              { class: `reply-button ${item.style ?? ''}`, dir: 'auto', onclick: () => pressed(item) },
              h('span', {}, item.text),
            ),
          ),
        ),
      )
      fill(element, ...rows)
      draw()
    },
  }

  /** @param {ReplyButton} item */
  function pressed(item) {
    if (!keyboard) return
    press(item, keyboard)
    if (!keyboard.oneTime) return
    open = false
    draw()
  }
}
