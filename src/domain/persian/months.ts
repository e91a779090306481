export type NamedMonth = {
  calendar: 'jalali' | 'gregorian' | 'lunar'
  month: number
  /** Read from a misspelt word. */
  isGuess?: true
}

/** Names as `foldWords` leaves them, from spring on: in Persian letters, then the usual Latin name. */
const jalali = [
  'فروردین حمل farvardin',
  'اردیبهشت ثور ordibehesht',
  'خرداد جوزا khordad',
  'تیر سرطان tir',
  'مرداد امرداد اسد mordad',
  'شهریور سنبله سمبله shahrivar',
  'مهر میزان mehr',
  'ابان عقرب aban',
  'اذر قوس azar',
  'دی جدی dey',
  'بهمن دلو bahman',
  'اسفند اسپند حوت esfand',
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

/** The many ways in which Jalali months are written in Latin letters; the second half is Dari. */
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

const named = (calendar: NamedMonth['calendar'], lines: readonly string[]) =>
  lines.flatMap((names, index) =>
    names.split(' ').map((name): [string, NamedMonth] => [name, { calendar, month: index + 1 }]),
  )

const solar = [...named('jalali', jalali), ...named('gregorian', gregorian)]
const byName = new Map([...solar, ...named('lunar', lunar)])

const isLatin = (name = ''): boolean => /^[a-z]/.test(name)

/** The names in Persian letters, Jalali first. */
export const PERSIAN_MONTHS = solar.filter(([name]) => !isLatin(name))

/** The usual names in Latin letters: the first of each line. */
export const LATIN_MONTHS = solar.filter(([name], at) => isLatin(name) && !isLatin(solar[at - 1]?.[0]))

/** Finds the month a folded word names, with or without «ماه» behind it. */
export function findMonth(word: string): NamedMonth | undefined {
  const name = word.length > 3 ? word.replace(/(?:ماه|mah|maah)$/, '') : word
  const known = byName.get(name)
  if (known) return known
  const index = jalaliInLatin.findIndex((pattern) => pattern.test(name))
  return index < 0 ? undefined : { calendar: 'jalali', month: index + 1 }
}

/** Letters that soundAlike alike and are confused in writing. */
const ALIKE = ['تط', 'سصث', 'زذضظ', 'حه', 'قغ', 'اع', 'ckq', 'sz', 'iy', 'ei', 'vw', 'uo']

const soundAlike = (one: string, other: string): boolean =>
  ALIKE.some((letters) => letters.includes(one) && letters.includes(other))

/** Whether a word is a name with one letter missing, added, replaced by a like soundAlike, or swapped. */
function isSlip(word: string, name: string): boolean {
  let at = 0
  while (at < name.length && word[at] === name[at]) at += 1
  const rest = name.slice(at)
  const typed = word.slice(at)
  if (typed.length === rest.length - 1) return typed === rest.slice(1)
  if (typed.length === rest.length + 1) return typed.slice(1) === rest
  if (typed.length !== rest.length || rest === '') return false
  const [one = '', two = ''] = rest
  const isSwapped = typed[0] === two && typed[1] === one && typed.slice(2) === rest.slice(2)
  return isSwapped || (soundAlike(one, typed[0] ?? '') && typed.slice(1) === rest.slice(1))
}

/** Guesses the month that a misspelt folded word names, Jalali first. The participant has to confirm it. */
export function guessMonth(word: string): NamedMonth | undefined {
  const name = word.length > 4 ? word.replace(/(?:ماه|mah)$/, '') : word
  if (name.length < 2) return undefined
  // Shorter names have too many neighbours that mean something else.
  const [names, shortest] = isLatin(name) ? [LATIN_MONTHS, 4] : [PERSIAN_MONTHS, 2]
  const known = names.find(([each]) => each.length >= shortest && isSlip(name, each))
  return known && { ...known[1], isGuess: true }
}
