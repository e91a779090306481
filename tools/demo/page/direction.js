/**
 * Whether a text runs from right to left: its first letter decides, as in browsers.
 *
 * @param {string} text
 */
export function isRightToLeft(text) {
  const first = /\p{Letter}/u.exec(text)?.[0] ?? ''
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(first)
}
