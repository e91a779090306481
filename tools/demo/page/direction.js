/**
 * Whether a text runs from right to left: its first letter tells, as for a browser.
 *
 * @param {string} text
 */
export function isRightToLeft(text) {
  const first = /\p{Letter}/u.exec(text)?.[0] ?? ''
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(first)
}
