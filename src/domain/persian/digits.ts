/** Turns Persian, Arabic and full-width digits into 0–9; everything else stays. */
export function toAsciiDigits(text: string): string {
  return text.replace(/[\u06f0-\u06f9\u0660-\u0669\uff10-\uff19]/g, (digit) =>
    String(digit.charCodeAt(0) & 15),
  )
}

/** Turns 0–9 into Persian digits; everything else stays. */
export function toPersianDigits(text: string): string {
  return text.replace(/[0-9]/g, (digit) => String.fromCharCode(0x06f0 + Number(digit)))
}
