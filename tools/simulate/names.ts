// No name that the bot itself gives as an example.
const FIRST = ['فریبا', 'مریم', 'رضا', 'علی', 'سارا', 'نیما', 'لیلا', 'حسین', 'مینا', 'کاوه']
const LAST = ['محمدی', 'احمدی', 'رضایی', 'کریمی', 'حسینی', 'مرادی', 'صادقی', 'قاسمی', 'نوری', 'بهرامی']

/** No two of a hundred have one name. */
export function nameOf(number: number): string {
  const family = number + Math.floor(number / FIRST.length)
  return `${FIRST[number % FIRST.length]} ${LAST[family % LAST.length]}`
}
