import type { Field } from '../profile.ts'
import { afterQuestion, bareWords, clean, isQuestion, toPersianLetters } from './clean.ts'

/** The texts that people type instead of pressing a button, where they can mean one thing only. */
export type Saying = 'greeting' | 'result' | 'send' | 'back' | 'later' | 'review' | 'yes' | 'no' | 'go'

const SAYINGS: readonly (readonly [Saying, string])[] = [
  ['greeting', 'سلام درود salam hello hi hey'],
  ['send', 'بفرست بفرستید بفرستین بفرستش بفرستشون ارسال send submit'],
  ['back', 'قبلی قبل برگرد برگردیم برگشت بازگشت عقب previous back'],
  ['later', 'بعدا بعد بعدن توقف مکث later pause stop'],
  ['review', 'مرور مرورش review'],
  [
    'yes',
    'بله بلی اره اری درسته درست صحیح صحیحه تایید تاییده اوکی اوکیه باشه باشد موافقم قبوله قبول کافیه کافی همان همون ' +
      'yes yeah yep ok okay right correct agree',
  ],
  ['no', 'نه خیر نخیر no nope'],
  ['go', 'شروع بریم start begin'],
]
const SAYING_OF = new Map(
  SAYINGS.flatMap(([saying, words]) => words.split(' ').map((word) => [word, saying] as const)),
)
/** Phrases of several words. The list above holds single words only. */
const HELLO =
  '(?:سلام(?: علیکم| بر شما)?|درود(?: بر شما)?|خسته نباشی[دن]|(?:وقت|صبح|عصر|شب|روز)(?:تون|تان| شما)? ?(?:به )?(?:بخیر|خیر))'
const HOW_ARE_YOU = '(?:خوبی[دن]?|چطوری[دن]?|(?:حال شما|حالتون|حالتان) (?:خوبه|چطوره))'
const HELLOS = `${HELLO}(?:[ .!،,؟]+(?:و )?(?:${HELLO}|${HOW_ARE_YOU}))*`
const GREETING = new RegExp(`^${HELLOS}$`)
const SAME = /^هم[او]?ن (?:قبلی?|دفعه (?:ی )?(?:قبل|پیش))$/

/** Words that may surround a saying. */
const AROUND = new Set(
  (
    'لطفا میکنم پرسش سوال رو را پاسخ پاسخها پاسخهام جواب جوابها جوابهام ها هام من کن کنید ادامه میدم می دم میدهم دهم بده ' +
    'کنم است هست همین همه چیز چی خوبه کاملا please the question answers it go continue is that s'
  ).split(' '),
)
const MOST_WORDS = 6
const OF_RESULT = /(?:^| )(?:نتیجه|نتیجم|نتیجمو|جوابم|results?)(?:$| )/

/** Whether a text has the words of a button, or of an option. As a question it means something else. */
export function saysSame(words: string, said: string): boolean {
  const same = joined(words)
  return same !== '' && same === joined(said) && isNoDoubt(words, said)
}

/** Many people leave half-spaces out. A space has a meaning between digits only. */
const joined = (words: string): string => bareWords(words).replace(/(?<!\d) | (?!\d)/g, '')

/** Whether a text asks nothing, unless the words themselves are a question. */
export const isNoDoubt = (words: string, said: string): boolean => isQuestion(words) || !isQuestion(said)

/** Reads a saying; `undefined` for other or unclear texts. A participant who asks has not decided yet. */
export function parseSaying(text: string): Saying | undefined {
  const said = bareWords(text)
  const words = said.split(' ')
  if (said === '' || words.length > MOST_WORDS) return undefined
  if (GREETING.test(said)) return 'greeting'
  if (OF_RESULT.test(said)) return 'result'
  // «درسته؟ بله» is a decision.
  if (isQuestion(text)) return parseSaying(afterQuestion(text))
  if (SAME.test(said)) return 'yes'
  const left = words.filter((word) => !AROUND.has(word))
  if (left.length === 0) return /ادامه|continue/.test(said) ? 'go' : undefined
  const [first, ...others] = new Set(left.map((word) => SAYING_OF.get(word)))
  if (others.length === 0) return first
  // A yes before another wish agrees to it.
  return first === 'yes' && others.length === 1 && others[0] !== 'no' ? others[0] : undefined
}

const INTRODUCED = new RegExp(
  `^(?:${HELLOS}[ .!،,؟]+(?!الله))?(?:من[ ،,]+(.+)[ \u200c](?:هستم|ام)|(.+) هستم|(?:اسمم|نامم|(?:اسم|نام) من)[ :،,]+(.+?)(?: (?:هست|است))?)[ .!]*$`,
)

/** The name in a sentence that introduces the writer («سلام، من علی رضایی هستم»); any other text as it is. */
export function introducedName(text: string): string {
  const found = INTRODUCED.exec(toPersianLetters(clean(text)))
  return found?.slice(1).find((name) => name !== undefined) ?? text
}

const FIELDS: readonly (readonly [Field, RegExp])[] = [
  ['name', /^(?:نام|نامم|اسم|اسمم|نامخانوادگی|فامیلی?م?|name)$/],
  ['birth', /^(?:تولد|تولدم|birth|birthday)$/],
  ['gender', /^(?:جنسیت|جنسیتم|gender)$/],
  ['mobile', /^(?:شماره|شمارم|شمارهام|موبایل|موبایلم|تلفن|تلفنم|mobile|phone|number)$/],
]
const WRONG =
  /(?:^| )(?:اشتباه|اشتباهه|اشتباس|غلط|غلطه|عوض|تغییر|ویرایش|اصلاح|تصحیح|درست نیست|wrong|change|edit|correct|not right)(?:$| )/

/** The one field that the text calls wrong («شماره اشتباهه»); `undefined` for none, or for several. */
export function parseWrongField(text: string): Field | undefined {
  const said = bareWords(text)
  const words = said.split(' ')
  if (words.length > MOST_WORDS || !WRONG.test(said)) return undefined
  const [field, ...others] = FIELDS.filter(([, name]) => words.some((word) => name.test(word)))
  return others.length === 0 ? field?.[0] : undefined
}
