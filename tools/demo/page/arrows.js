/**
 * Makes a group of buttons one stop of the Tab key: arrow keys move between buttons and between rows; Home
 * and End move to the outer ones. Returns a function to call when the buttons change.
 *
 * @param {HTMLElement} place
 * @param {string} [rows] selects the rows; without it all buttons follow each other
 */
export function oneStop(place, rows) {
  /** @param {ParentNode} parent */
  const buttonsIn = (parent) => [...parent.querySelectorAll('button')]
  const lines = () => (rows ? [...place.querySelectorAll(rows)].map(buttonsIn) : [buttonsIn(place)])

  /** Sets the button that Tab leads to. @param {Element | null} [wished] */
  function refresh(
    wished = place.querySelector('[tabindex="0"], [aria-pressed="true"], [aria-selected="true"]'),
  ) {
    const buttons = buttonsIn(place)
    const stop = buttons.find((button) => button === wished) ?? buttons[0]
    for (const button of buttons) button.tabIndex = button === stop ? 0 : -1
  }

  /** @param {KeyboardEvent} event @param {HTMLButtonElement} from */
  function target({ key }, from) {
    const all = lines()
    const row = all.findIndex((buttons) => buttons.includes(from))
    const column = all[row]?.indexOf(from) ?? -1
    const forward = getComputedStyle(place).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const flat = all.flat()
    if (key === 'Home') return flat[0]
    if (key === 'End') return flat.at(-1)
    const isAcross = key === 'ArrowLeft' || key === 'ArrowRight'
    if (!isAcross && key !== 'ArrowUp' && key !== 'ArrowDown') return undefined
    const step = key === 'ArrowDown' || key === forward ? 1 : -1
    if (!rows) return flat[flat.indexOf(from) + step]
    if (isAcross) return all[row]?.[column + step]
    const next = all[row + step]
    return next?.[Math.min(column, next.length - 1)]
  }

  place.addEventListener('keydown', (event) => {
    if (!(document.activeElement instanceof HTMLButtonElement)) return
    const next = target(event, document.activeElement)
    if (!next) return
    event.preventDefault()
    next.focus()
  })
  place.addEventListener('focusin', (event) => refresh(/** @type {Element} */ (event.target)))
  refresh()
  /** @param {Element | null} [wished] */
  return (wished) => (wished ? refresh(wished) : refresh())
}
