import { ZWNJ } from './clean.ts'
import { toAsciiDigits } from './digits.ts'

export type Marker = 'jalali' | 'gregorian' | 'imperial' | 'lunar'
export type Unit = 'day' | 'month' | 'year'

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const markers: readonly (readonly [Marker, ReadonlySet<string>])[] = [
  [
    'jalali',
    set(
      'شمسی خورشیدی جلالی هجری هجریشمسی هجریخورشیدی هجریش هشمسی هخورشیدی ش هش خ هخ ' +
        'shamsi khorshidi jalali solar persian sh',
    ),
  ],
  ['gregorian', set('میلادی مسیحی عیسوی miladi gregorian ad ce')],
  ['imperial', set('شاهنشاهی shahanshahi imperial')],
  ['lunar', set('قمری هجریقمری هجریق هقمری ق هق ghamari qamari lunar ah')],
]

const units: readonly (readonly [Unit, ReadonlySet<string>])[] = [
  ['day', set('روز day')],
  ['month', set('ماه برج month')],
  ['year', set('سال year')],
]

const AGES = set(
  'ساله ماهه ماهگی سالمه سالم سالمونه سالش سالشه سالگی سالگیم سن سنم سنش years yrs yr yo old age aged',
)

/** What makes the number before it an ordinal. */
const ORDINAL_ENDINGS = set('ام st nd rd th om er')

const WEEKDAYS = set(
  'شنبه یکشنبه دوشنبه سهشنبه چهارشنبه چارشنبه پنجشنبه پنشنبه جمعه ادینه ' +
    'saturday sunday monday tuesday wednesday thursday friday sat sun mon tue tues wed thu thur thurs fri',
)
const WEEKDAY_IN_LATIN = /^(?:(?:yek|do|se|ch?a?har|panj)?shanbeh?|jome?h?|adineh?)$/

/** Words around a date that say nothing about which one it is. */
const LABELS = set(
  'تاریخ تولد تولدم تولدش تولدمه متولد متولدم ولادت ولادتم میلاد زاده زادروز ت من او بنده اینجانب در به بدنیا دنیا امدم امده اومدم اومده ' +
    'شدم شده شد هستم هستش هست است بودم بود میباشد میشود میشه دارم دارد مورخ مورخه سلام پسرم دخترم فرزندم ی ه e ' +
    'لطفا ممنون مرسی بله اره ' +
    'born birth birthday birthdate date dob of on in the i im m am was is my his her tavalod tavallod tarikh',
)

export type Word =
  | { kind: 'marker'; marker: Marker }
  | { kind: 'unit'; unit: Unit }
  | { kind: 'ordinal' }
  | { kind: 'age' | 'label' }

/** What a folded word that is neither month nor number says in a birth date; `undefined` for a stranger. */
export function findWord(word: string): Word | undefined {
  for (const [marker, words] of markers) if (words.has(word)) return { kind: 'marker', marker }
  for (const [unit, words] of units) if (words.has(word)) return { kind: 'unit', unit }
  if (AGES.has(word)) return { kind: 'age' }
  if (ORDINAL_ENDINGS.has(word)) return { kind: 'ordinal' }
  if (LABELS.has(word) || WEEKDAYS.has(word) || WEEKDAY_IN_LATIN.test(word)) return { kind: 'label' }
  return undefined
}

/** «سی صد» and «نه صد» are one word. */
const PARTED_HUNDREDS = /(?<!\p{L})(سی|چهار|پان|شش|هفت|هشت|نه) (?=صد(?!\p{L}))/gu

/** One spelling for words that are only compared: no case, accents, hamza or madda; ZWNJ becomes a space. */
export function foldWords(text: string): string {
  return toAsciiDigits(text)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[يىے]/g, 'ی')
    .replace(/[كڪ]/g, 'ک')
    .replace(/[ةەہھ]/g, 'ه')
    .replace(/ٱ/g, 'ا')
    .replace(/ء/g, '')
    .replace(/(?<=\p{L})\u0640+/gu, '') // a stretched letter; between digits kashida is a dash
    .replaceAll(ZWNJ, ' ')
    .replace(PARTED_HUNDREDS, '$1')
    .toLowerCase()
}
