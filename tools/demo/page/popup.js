import { button, h } from './dom.js'
import { icon } from './icons.js'

/** @typedef {{ text: string, icon?: import('./icons.js').IconName, danger?: boolean, run: () => void }} MenuItem */

/** @type {(() => void) | undefined} */
let closeOpenOne

/**
 * A small menu at a button or at the pointer; the page shows one at a time. Arrow keys move, Escape closes.
 *
 * @param {HTMLElement} host the phone that contains it
 * @param {{ x: number, y: number }} at in the window
 * @param {MenuItem[]} items
 */
export function openMenu(host, at, items, title = '') {
  closeOpenOne?.()
  const before = document.activeElement
  const buttons = items.map((item) =>
    button(
      { class: `menu-item ${item.danger ? 'danger' : ''}`, role: 'menuitem', onclick: () => choose(item) },
      item.icon && icon(item.icon),
      h('span', {}, item.text),
    ),
  )
  const heading = title && h('div', { class: 'menu-title', role: 'presentation' }, title)
  const menu = h(
    'div',
    { class: 'menu', role: 'menu', 'aria-label': title || undefined, onkeydown },
    heading,
    ...buttons,
  )
  host.append(menu)

  const frame = host.getBoundingClientRect()
  const x = Math.min(Math.max(8, at.x - frame.left), frame.width - menu.offsetWidth - 8)
  const y = Math.min(Math.max(8, at.y - frame.top), frame.height - menu.offsetHeight - 8)
  menu.style.setProperty('left', `${x}px`)
  menu.style.setProperty('top', `${y}px`)
  buttons[0]?.focus({ preventScroll: true })

  /** @param {KeyboardEvent} event */
  function onkeydown(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') close()
    else if (step) {
      const index = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement))
      buttons[(index + step + buttons.length) % buttons.length]?.focus()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  /** @param {PointerEvent} event */
  function outside(event) {
    if (!menu.contains(/** @type {Node} */ (event.target))) close()
  }

  function close() {
    removeEventListener('pointerdown', outside, true)
    menu.remove()
    closeOpenOne = undefined
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  }

  /** @param {MenuItem} item */
  function choose(item) {
    close()
    item.run()
  }

  addEventListener('pointerdown', outside, true)
  closeOpenOne = close
}
