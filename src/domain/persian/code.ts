import { clean } from './clean.ts'
import { toAsciiDigits } from './digits.ts'

/** Words one of which stands beside a code where a whole message is pasted. */
const LABEL = /کد|كد|رمز|پیامک|code|otp|pin|sms/i

/**
 * Reads an SMS code of 3–10 digits, grouped or not, alone or with its label («کد: ۱۲۳۴۵»).
 * `undefined` when it is no code, or when there are several numbers to choose from.
 */
export function parseSmsCode(text: string): string | undefined {
  const typed = toAsciiDigits(clean(text))
  const [code, ...others] = typed.match(/\d+(?:[ \u200c\-_.\u0640\u2010-\u2015\u2212]+\d+)*/g) ?? []
  if (code === undefined || others.length > 0) return undefined
  if (/\p{L}/u.test(typed.replace(code, '').replaceAll('\u0640', '')) && !LABEL.test(typed)) return undefined
  const digits = code.replace(/\D/g, '')
  return digits.length >= 3 && digits.length <= 10 ? digits : undefined
}
