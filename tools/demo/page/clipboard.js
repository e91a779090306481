/**
 * Copies a text and returns a text that tells whether it worked.
 *
 * @param {string} text
 * @param {import('./texts.js').Texts} t
 */
export async function copyText(text, t) {
  try {
    await navigator.clipboard.writeText(text)
    return t.copied
  } catch {
    return t.copyFailed
  }
}
