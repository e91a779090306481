const NAMED: Record<string, number> = { lt: 0x3c, gt: 0x3e, amp: 0x26, quot: 0x22 }
const ALPHA = /[A-Za-z]/

/**
 * Decodes the character reference at `pos`, which is an `&`. Telegram knows only four names, and numbers; for
 * anything else the result is `undefined` and the text stays as written. The semicolon may be missing.
 */
export function decodeReference(text: string, pos: number): { char: string; end: number } | undefined {
  let end = pos + 1
  let code: number | undefined
  if (text[end] === '#') {
    const hex = text[end + 1] === 'x'
    const digits =
      (hex ? /^[0-9a-fA-F]+/ : /^[0-9]+/).exec(text.slice(end + (hex ? 2 : 1), pos + 20))?.[0] ?? ''
    end += (hex ? 2 : 1) + digits.length
    code = digits === '' ? undefined : Number.parseInt(digits, hex ? 16 : 10)
    if (code === undefined || code === 0 || code >= 0x10ffff || end - pos >= 10) return undefined
    if (code >= 0xd800 && code <= 0xdfff) return undefined
  } else {
    while (ALPHA.test(text[end] ?? '')) end++
    code = NAMED[text.slice(pos + 1, end)]
    if (code === undefined) return undefined
  }
  return { char: String.fromCodePoint(code), end: text[end] === ';' ? end + 1 : end }
}
