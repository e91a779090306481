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

/** The digits that were typed as a code, however many. */
export function codeDigits(text: string): string | undefined {
  const typed = toAsciiDigits(clean(text)).replace(NO_CODE, '')
  const [code, ...others] = typed.match(/\d+(?:[ \u200c\-_.\u0640\u2010-\u2015\u2212]+\d+)*/g) ?? []
  if (code === undefined || others.length > 0) return undefined
  const around = typed.replace(code, '').replaceAll('\u0640', '')
  if (/\p{L}/u.test(around) && (!LABEL.test(typed) || saysNoCode(around))) return undefined
  return code.replace(/\D/g, '')
}

/** Words for the code, or for the message that brings it. */
const CODE =
  '(?:کد|رمز|پیامک|پیام|مسیج|اس ?ام ?اس|codes?|otp|sms|text|message|kode?|cod|ramz|payamak?|esemes)'

/** Ways to say that the code did not come. They can mean nothing else here. */
const NOT_COME = [
  'نی(?:وم|ام)د(?:[هنش]|ست)?',
  'نمی ?(?:اید|یاد|اد)',
  'نمی ?ا?رسد',
  'نمی ?رسه',
  'نرسید[هن]?',
  'نگرفت[مه]',
  '(?:دریافت|ارسال) (?:نشد|نکرد|نمی ?ش|نمی ?کن)[^ ]*',
  'نفرست[^ ]+',
  'نمی ?فرست[^ ]+',
  "(?:did ?n[o']?t|did not|has ?n[o']?t|has not|have ?n[o']?t|have not|does ?n[o']?t|does not|do ?n[o']?t|do not|is ?n[o']?t|is not|never|not|no) (?:\\w+ ){0,2}?(?:come|came|coming|arrived?|arriving|received?|receiving|got|get|gotten|sent|deliver(?:ed)?)",
  'nay[uo]+mad[eh]*',
  'nayamad[eh]*',
  'n[ae]+resid[eh]*',
  'nemi ?(?:ad|yad|res[eh]+|rese)',
]

/** Ways to say that the code is missing, or wanted once more. */
const MISSING = [
  `${CODE}(?: ?(?:ی|م|مون|تایید|من|me))* ?(?:ندارم|نداد[^ ]*|نمی ?د[^ ]*|نیست(?: که)?|نبود|ندیدم|نشد|کو|کجاست|کجا رفت|چی شد|چیشد|گم شد[^ ]*)`,
  `(?:کو|کجاست|چی شد|چیشد|where(?:'?s| is| are)?)(?: ?(?:پس|این|the|my|that|is))* ?${CODE}`,
  `(?:no|without(?: a)?|missing) ${CODE}`,
  `${CODE}[^\\d]{0,20}(?:پیدا|مشاهده) ?(?:نکردم|نمی ?کنم|نشد|نمی ?شه|نمی ?شود)`,
  `(?:دوباره|مجدد[اً]?|باز|دیگه|دیگر)[^\\d]{0,20}(?:بفرست|ارسال|بده|بزن)[^ ]*`,
  `${CODE}[^\\d]{0,12}(?:بفرست|ارسال کن|بده(?:ید|ین)?$)[^ ]*`,
  `(?:re ?send|send)[^\\d]{0,12}(?:${CODE}|again|another|new)`,
  `resend`,
]

const said = new RegExp(`(?<![\\p{L}])(?:${[...NOT_COME, ...MISSING].join('|')})(?![\\p{L}])`, 'u')
/** A code that came and is not accepted is another matter. */
const OTHERWISE = /اشتباه|غلط|درست نیست|معتبر نیست|قبول|منقضی|wrong|invalid|expired|not accepted/
const A_CODE = /\d[\d \-_.]*\d\d/
const LONGEST_WORDS = 200

/** Whether a participant says, in place of the SMS code, that it did not come («کد نیومد», "no code"). */
export function saysNoCode(text: string): boolean {
  if (text.length > LONGEST_WORDS) return false
  const folded = foldWords(clean(text).replace(/[’‘`´]/g, "'"))
    .replace(/[^\p{L}\p{N}' ]+/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
  return !A_CODE.test(folded) && !OTHERWISE.test(folded) && said.test(folded)
}
