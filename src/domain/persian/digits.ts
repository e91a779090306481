/** Turns the digits of every script into 0–9; everything else stays. */
export function toAsciiDigits(text: string): string {
  return text.replace(/(?!\d)\p{Nd}/gu, (digit) => String(valueOfDigit(digit)))
}

/** The ten digits of a script stand in a row, its zero first. */
function valueOfDigit(digit: string): number {
  const point = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value += 1
  return value
}

/** Turns 0–9 into Persian digits; everything else stays. */
export function toPersianDigits(text: string): string {
  return text.replace(/[0-9]/g, (digit) => String.fromCharCode(0x06f0 + Number(digit)))
}
