import { bareWords, isQuestion } from './clean.ts'

const CANCEL =
  /^(?:لغو|انصراف)(?: (?:کن|کنید|می ?ده(?:م|یم)|می ?د(?:م|یم)|می ?خوا(?:ه?م)|شود|شه|لطفا))*$|^cancel(?: (?:it|this|please))?$/
const ITS = '(?:اطلاعات(?: شخصی)? (?:من|خودم)|اطلاعاتم)'
const FORGET = new RegExp(
  `^(?:حذف ${ITS}|${ITS}(?: (?:را|رو|و))? (?:حذف|پاک) ?(?:کن|کنید|شود|بشه)|(?:delete|erase|forget) (?:all )?(?:of )?my (?:data|information))$`,
)

/** The command that a sentence means, if it says nothing else. */
export function wishOf(text: string): '/cancel' | '/forget' | undefined {
  // A wish is short, so a long text need not be folded.
  if (text.length > 60 || isQuestion(text)) return undefined
  const words = bareWords(text)
  if (CANCEL.test(words)) return '/cancel'
  return FORGET.test(words) ? '/forget' : undefined
}

/** Words for data that people type («اسم خودمو بزنم؟»): there the verb does not mean to hit. */
const TYPED =
  '(?:شماره|اسم|نام|فامیل|فامیلی|کد|ملی|تولد|سن|جنسیت|موبایل|تلفن|گوشی|اطلاعات|مشخصات|number|name|code)'
const WANT = 'می ?خوا(?:ه)?م|دوست دارم|ارزو دارم|وقتشه'
const REFUSE = 'نمی ?خوا(?:ه)?م'
/** Words beside the wish not to exist. The wish not to be in a test, or not to be alone, does not match. */
const AT_ALL =
  '(?: (?:دیگه|دیگر|اصلا|کلا|هرگز|هیچ ?وقت|که|من|اینجا|این ?(?:جوری|طوری)|سربار(?: کسی)?|(?:تو|توی|در|روی?) (?:این )?(?:دنیا|زندگی|جهان|زمین))){0,2}'

const DISTRESS = [
  /خود ?کشی|خود ?زنی/,
  /خود(?:م|مو|مون)(?: (?:را|رو|و))? ?(?:می ?کشم|بکشم|خلاص کنم|راحت کنم)/,
  new RegExp(
    `(?<!(?:^| )${TYPED}(?: \\p{L}+){0,4} )خود(?:مو|مون|م)(?: (?:را|رو|و))? ?(?:بزنم|می ?زنم)(?! ?\\d)`,
    'u',
  ),
  new RegExp(`(?:${WANT}|کاش)(?: \\p{L}+){0,2} (?:بمیرم|می ?مردم)`, 'u'),
  new RegExp(`(?:${WANT}|کاش)${AT_ALL} (?:نباشم|نبودم)`),
  /کاش(?: (?!(?:توی?|در) )\p{L}+){0,2} (?:نباشم|نبودم)/u,
  new RegExp(`${REFUSE}${AT_ALL} باشم`),
  /(?:دیگه|دیگر) نمی ?(?:تونم|توانم) باشم|نمی ?(?:تونم|توانم) (?:دیگه|دیگر) باشم/,
  new RegExp(
    `(?:${REFUSE}|نمی ?تونم|نمی ?توانم)(?: \\p{L}+){0,2} (?:زنده|زندگی|ادامه (?:بدم|بدهم) زندگی)`,
    'u',
  ),
  /زنده (?:نباشم|نمانم|نمونم|نبودم)/,
  /از (?:این )?(?:زندگی|دنیا)(?: \p{L}+){0,2} (?:خسته|سیر|بیزار)/u,
  /به خودم (?:اسیب|صدمه)|اسیب (?:به خودم|زدن به خود)|(?<!\p{L})رگ(?:م|مو| خودم| دستم)(?!\p{L})/u,
  /حالم(?: \p{L}+)? (?:بد|بده|بدست|خراب|خرابه|افتضاح|افتضاحه)(?: (?!نیس|نبود|نمی ?ش)|$)/u,
  /(?:طاقت|تحمل|تحملش|طاقتش)(?: \p{L}+)? ندارم|(?:دیگر|دیگه) نمی ?(?:کشم|تونم تحمل|توانم تحمل)/u,
  /کتکم|کتک می ?(?:خور|زن)|تجاوز/,
  /suicid|kill (?:myself|me\b)|(?:want|wanna|wish) (?:to die|i (?:was|were) dead)|wanna die|\bend (?:it all|my(?:self| (?:own )?(?:life|existence|pain|suffering|misery|days)))\b|hurt(?:ing)? myself|self ?harm|(?:can t|cannot) (?:go on|take (?:it|this))|(?:don t|do not) want to live/,
]

/** Whether the writer may need help now. The reply only says where to find it, never what the text means. */
export function isDistress(text: string): boolean {
  const words = bareWords(text)
  return DISTRESS.some((sign) => sign.test(words))
}
