import { bareWords, clean, foldWords, toAsciiDigits } from './clean.ts'

/** Words beside a code in a message that is pasted as a whole. */
const LABEL = /کد|كد|رمز|پیامک|code|otp|pin|sms/i

/**
 * Reads an SMS code of 3–10 digits, grouped or not, alone or with its label («کد: ۱۲۳۴۵»).
 * `undefined` when it is no code, or when there are several numbers to choose from.
 */
export function parseSmsCode(text: string): string | undefined {
  const digits = codeDigits(text) ?? ''
  return digits.length >= 3 && digits.length <= 10 ? digits : undefined
}

/** Words that may surround a pasted code, and ask nothing. */
const AROUND =
  /^(?:کد|رمز|پیامک|تایید|شما|من|عبور|ورود|است|لغو|code|otp|pin|sms|your|my|the|is|verification)$/

/** Whether a code was typed, alone or with its label, without any other words. */
export const isBareCode = (text: string): boolean =>
  parseSmsCode(text) !== undefined &&
  (bareWords(text).match(/\p{L}+/gu) ?? []).every((word) => AROUND.test(word))

/** Numbers in an SMS that are not the code: for unsubscribing, and for how long the code is valid. */
const NO_CODE = / لغو ?\d{1,3}$|اعتبار ?:? ?\d{1,3} ?دق[یي]قه/g

/** With these words the number in a text is no code. */
const NOT_COME =
  /نی(?:وم|ام)د|نمی ?(?:ا|یاد|رس|فرست)|نرسید|نگرفت|(?:دریافت|ارسال) (?:نشد|نکرد|نمی)|نفرستاد|ندارم|کجاست|(?:دوباره|مجدد).*(?:بفرست|ارسال)|(?:not|n t|never) (?:come|came|arrive|receive|get|got)|no code|resend|send .*again/

/** The digits that were typed as a code, however many. */
export function codeDigits(text: string): string | undefined {
  const typed = toAsciiDigits(clean(text)).replace(NO_CODE, '')
  const [code, ...others] = typed.match(/\d+(?:[ \u200c\-_.\u0640\u2010-\u2015\u2212]+\d+)*/g) ?? []
  if (code === undefined || others.length > 0) return undefined
  const around = typed.replace(code, '').replaceAll('\u0640', '')
  if (/\p{L}/u.test(around) && (!LABEL.test(typed) || NOT_COME.test(bareWords(around)))) return undefined
  return code.replace(/\D/g, '')
}

/** Words with which people say that a code did not come, or that they want it once more. */
const NO_CODE_CAME =
  /نی(?:وم|ام)د|نمی ?(?:ا|یاد|رس|فرست|ش|د)|نرسید|نگرفت|نفرست|ندار|نداد|ندید|نبود|نیست|نشد|نکرد|کو(?!\p{L})|کجا|چی ?شد|گم شد|دوباره|مجدد|دیگه|بفرست|بده|n't|\b(?:no|not|never|where|missing|another|again|(?:re)?send|nay|naresid|nemi)/u
/** A code that came and is not accepted is another matter. */
const OTHERWISE = /اشتباه|غلط|درست نیست|معتبر نیست|قبول|منقضی|wrong|invalid|expired|not accepted/
const A_CODE = /\d[\d \-_.]*\d\d/
const LONGEST_WORDS = 200

/** Whether a participant says, in place of the SMS code, that it did not come («کد نیومد», "no code"). */
export function saysNoCode(text: string): boolean {
  if (text.length > LONGEST_WORDS) return false
  const folded = foldWords(clean(text).replace(/’/g, "'"))
  return !A_CODE.test(folded) && !OTHERWISE.test(folded) && NO_CODE_CAME.test(folded)
}
