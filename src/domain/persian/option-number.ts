import { clean } from './clean.ts'
import { toAsciiDigits } from './digits.ts'

const numbered =
  /^(?:(?:گزینه|مورد|شماره|جواب|پاسخ|option|answer|number|no)[یي]?[ .:]*)?[(#[]? ?(\d{1,3}) ?[.)\]:،,\-_]?$/i

/** Reads an option typed by its number («۲», «۲.», «گزینهٔ ۲»), counted from 1; `undefined` when it is none. */
export function parseOptionNumber(text: string): number | undefined {
  const typed = toAsciiDigits(clean(text)).replace(/\p{M}|\u200c/gu, '') // ezafe, and the frame of 2️⃣
  const number = Number(numbered.exec(typed.replace(/ۀ/g, 'ه').replace(/ي/g, 'ی'))?.[1])
  return number > 0 ? number : undefined
}
