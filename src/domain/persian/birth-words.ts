export type Marker = 'jalali' | 'gregorian' | 'imperial' | 'lunar'
export type Unit = 'day' | 'month' | 'year'

type Word =
  | { kind: 'marker'; marker: Marker }
  | { kind: 'unit'; unit: Unit }
  | { kind: 'age' | 'label' }
  /** Makes the number before it an ordinal. */
  | { kind: 'ordinal' }

const words: readonly (readonly [Word, string])[] = [
  [
    { kind: 'marker', marker: 'jalali' },
    'شمسی خورشیدی جلالی هجری هجریشمسی هجریخورشیدی هجریش هشمسی هخورشیدی ش هش خ هخ ' +
      'shamsi khorshidi jalali solar persian sh',
  ],
  [{ kind: 'marker', marker: 'gregorian' }, 'میلادی مسیحی عیسوی miladi gregorian ad ce'],
  [{ kind: 'marker', marker: 'imperial' }, 'شاهنشاهی shahanshahi imperial'],
  [{ kind: 'marker', marker: 'lunar' }, 'قمری هجریقمری هجریق هقمری ق هق ghamari qamari lunar ah'],
  [{ kind: 'unit', unit: 'day' }, 'روز day'],
  [{ kind: 'unit', unit: 'month' }, 'ماه برج month'],
  [{ kind: 'unit', unit: 'year' }, 'سال year'],
  [
    { kind: 'age' },
    'ساله ماهه ماهگی سالمه سالم سالمونه سالش سالشه سالگی سالگیم سن سنم سنش years yrs yr yo old age aged',
  ],
  [{ kind: 'ordinal' }, 'ام st nd rd th om er'],
  // Weekdays, and words around a date that say nothing about which one it is.
  [
    { kind: 'label' },
    'شنبه یکشنبه دوشنبه سهشنبه چهارشنبه چارشنبه پنجشنبه پنشنبه جمعه ادینه ' +
      'saturday sunday monday tuesday wednesday thursday friday sat sun mon tue tues wed thu thur thurs fri ' +
      'تاریخ تولد تولدم تولدش تولدمه متولد متولدم ولادت ولادتم میلاد زاده زادروز ت من او بنده اینجانب در به بدنیا دنیا امدم امده اومدم اومده ' +
      'شدم شده شد هستم هستش هست است بودم بود میباشد میشود میشه دارم دارد مورخ مورخه سلام پسرم دخترم فرزندم ی ه e ' +
      'لطفا ممنون مرسی بله اره ' +
      'born birth birthday birthdate date dob of on in the i im m am was is my his her tavalod tavallod tarikh',
  ],
]
const WEEKDAY_IN_LATIN = /^(?:(?:yek|do|se|ch?a?har|panj)?shanbeh?|jome?h?|adineh?)$/

const bySpelling = new Map(
  words.flatMap(([word, spellings]) => spellings.split(' ').map((spelling) => [spelling, word])),
)

/** The meaning of a folded word, no month or number, in a birth date; `undefined` for an unknown word. */
export const findWord = (word: string): Word | undefined =>
  bySpelling.get(word) ?? (WEEKDAY_IN_LATIN.test(word) ? { kind: 'label' } : undefined)
