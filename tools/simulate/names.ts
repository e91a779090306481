// None of these names is an example in the bot's own texts.
const FIRST = ['فریبا', 'مریم', 'رضا', 'علی', 'سارا', 'نیما', 'لیلا', 'حسین', 'مینا', 'کاوه']
const LAST = ['محمدی', 'احمدی', 'رضایی', 'کریمی', 'حسینی', 'مرادی', 'صادقی', 'قاسمی', 'نوری', 'بهرامی']

/** A name; the first hundred all differ. */
export function nameOf(number: number): string {
  const family = number + Math.floor(number / FIRST.length)
  return `${FIRST[number % FIRST.length]} ${LAST[family % LAST.length]}`
}
