/** @typedef {Node | string | undefined | null | false} Child */

/**
 * Makes an element: functions become listeners (`onclick`), booleans become attributes without a value (words
 * for `aria-…`), `undefined` and `false` are left out. Strings become text nodes, so nothing is read as HTML.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value))
    } else if (value !== undefined && (value !== false || name.startsWith('aria-'))) {
      element.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : String(value))
    }
  }
  fill(element, ...children)
  return element
}

/**
 * Replaces the content of an element.
 *
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren(
    ...children.filter((child) => child !== undefined && child !== null && child !== false),
  )
}

/**
 * A `<button type="button">`; `label` describes it when it shows only an icon.
 *
 * @param {{ class?: string, label?: string, onclick: (event: MouseEvent) => void, [name: string]: unknown }} attributes
 * @param {...Child} children
 */
export function button({ label, ...attributes }, ...children) {
  return h('button', { type: 'button', 'aria-label': label, title: label, ...attributes }, ...children)
}
