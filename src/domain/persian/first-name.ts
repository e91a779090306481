/** First names that are written as two words. */
const DOUBLE = 'محمد امیر علی سید سیده میر ابو عبد غلام نور گل فاطمه بی'.split(' ')
/** Titles before a name, which are no part of it. */
const TITLES = 'خانم آقای آقا دکتر مهندس حاج حاجی استاد سرکار جناب dr mr mrs ms'.split(' ')

/** The first name in a typed full name, without the titles before it. */
export function firstName(name: string): string {
  const [one = '', two, ...rest] = withoutTitles(name)
  return two !== undefined && rest.length > 0 && DOUBLE.includes(one) ? `${one} ${two}` : one
}

/** Whether a name is a single word, not counting titles. */
export const isSingleName = (name: string): boolean => withoutTitles(name).length === 1

function withoutTitles(name: string): string[] {
  const words = name.split(/\s+/)
  const from = words.findIndex((word) => !TITLES.includes(word.toLowerCase().replace(/\.$/, '')))
  // If all words are titles (-1), the last one is the name.
  return words.slice(from)
}
