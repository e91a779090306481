export type NamedMonth = {
  calendar: 'jalali' | 'gregorian' | 'lunar'
  month: number
  /** Read from a misspelt word. */
  isGuess?: true
}

/** Persian-script names as `foldWords` leaves them: no spaces, no hamza, no madda. Twelve lines, spring first. */
const jalali = [
  'فروردین حمل',
  'اردیبهشت ثور',
  'خرداد جوزا',
  'تیر سرطان',
  'مرداد امرداد اسد',
  'شهریور سنبله سمبله',
  'مهر میزان',
  'ابان عقرب',
  'اذر قوس',
  'دی جدی',
  'بهمن دلو',
  'اسفند اسپند حوت',
]

/** French-based as in Iran, English-based as in Afghanistan, and the Arabic names. */
const gregorian = [
  'ژانویه جانویه جنوری جانوری ینایر january jan janvier januar',
  'فوریه فبریه فبروری فوروری فبرایر february feb fevrier februar',
  'مارس مارچ march mar mars marz maerz',
  'اوریل اپریل ابریل april apr avril',
  'مه می مای مایو may mai',
  'ژوین ژون جون جوین یونیو june jun juin juni',
  'ژوییه ژویه ژولیه ژولای ژولایی جولای جولایی جولی یولیو july jul juillet juli',
  'اوت اگوست اگست اوگوست اگوس اغسطس august aug aout',
  'سپتامبر سپتمبر سبتمبر september sept sep septembre',
  'اکتبر اکتوبر october oct octobre oktober okt',
  'نوامبر نومبر نوفمبر november nov novembre',
  'دسامبر دسمبر دیسمبر دیسامبر december dec decembre dezember dez',
]

const lunar = [
  'محرم محرمالحرام muharram moharram',
  'صفر صفرالمظفر safar',
  'ربیعالاول ربیعاول rabialawwal rabialaval',
  'ربیعالثانی ربیعالاخر ربیعثانی rabialthani rabiolsani',
  'جمادیالاول جمادیالاولی جمادیاول jumadaalawwal',
  'جمادیالثانی جمادیالثانیه جمادیالاخر جمادیالاخره جمادیثانی jumadaalthani',
  'رجب رجبالمرجب rajab',
  'شعبان شعبانالمعظم shaban shaaban',
  'رمضان رمضانالمبارک ramadan ramazan ramezan',
  'شوال شوالالمکرم shawwal shavval',
  'ذیقعده ذیالقعده ذوالقعده ذالقعده ذوالقعدهالحرام zighadeh dhualqadah',
  'ذیحجه ذیالحجه ذوالحجه ذالحجه ذوالحجهالحرام zihajeh dhualhijjah',
]

/** The many ways Jalali months are written in Latin letters; the second half is Dari. */
const jalaliInLatin: readonly RegExp[] = [
  /^(?:far[vw]ar?d(?:i|ee|y)n|hamal)$/,
  /^(?:[ou]r[dt](?:i|ee|y)?b[ei]?h?[ei]sh?t|s[ao][uw]r)$/,
  /^(?:(?:kh|x)[ou]+rd[ao]{1,2}d|ja[uw]za)$/,
  /^(?:t(?:i|ee|y)r|saratan)$/,
  /^(?:a?m[ou]+rd[ao]{1,2}d|asad)$/,
  /^(?:sh?ahr?[iey]{1,2}[vw]ar|s[ou]nb[ou]la)$/,
  /^(?:m[ei]hr|mizan)$/,
  /^(?:[ao]{1,2}b[ao]{1,2}n|a[qk]rab)$/,
  /^(?:[ao]{1,2}(?:z|dh)ar|[qg]a[uw]s)$/,
  /^(?:d(?:ey|ei|ay|ai|i|ej)|jad[iy])$/,
  /^(?:bah?man|dal[wv])$/,
  /^(?:[ei]sfa?nd|espand|h[ou]+t)$/,
]

type Names = readonly (readonly [name: string, month: NamedMonth])[]

const allNames = (calendar: NamedMonth['calendar'], lines: readonly string[]): Names =>
  lines.flatMap((names, index) =>
    names.split(' ').map((name) => [name, { calendar, month: index + 1 }] as const),
  )

const byName = new Map<string, NamedMonth>([
  ...allNames('jalali', jalali),
  ...allNames('gregorian', gregorian),
  ...allNames('lunar', lunar),
])

const firstNames = (calendar: 'jalali' | 'gregorian', lines: readonly string[]): Names =>
  allNames(calendar, lines).filter(([name]) => !/[a-z]/.test(name))

/** The names in Persian letters, Jalali first. */
export const PERSIAN_MONTHS: Names = [...firstNames('jalali', jalali), ...firstNames('gregorian', gregorian)]

const inLatin = (calendar: 'jalali' | 'gregorian', names: string): Names =>
  names.split(' ').map((name, index) => [name, { calendar, month: index + 1 }] as const)

/** The usual names in Latin letters. */
export const LATIN_MONTHS: Names = [
  ...inLatin('jalali', 'farvardin ordibehesht khordad tir mordad shahrivar mehr aban azar dey bahman esfand'),
  ...inLatin(
    'gregorian',
    'january february march april may june july august september october november december',
  ),
]

/** Finds the month a folded word names, with or without «ماه» behind it. */
export function findMonth(word: string): NamedMonth | undefined {
  const name = word.length > 3 ? word.replace(/(?:ماه|mah|maah)$/, '') : word
  const known = byName.get(name)
  if (known) return known
  const index = jalaliInLatin.findIndex((pattern) => pattern.test(name))
  return index < 0 ? undefined : { calendar: 'jalali', month: index + 1 }
}
