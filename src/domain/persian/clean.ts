/** Zero-width non-joiner, the "half space" of Persian: the one invisible character that carries meaning. */
export const ZWNJ = '\u200c'

/** Marks of direction, joiners, variation selectors, tags and the like, and control characters that are no space. */
const INVISIBLE = /(?!\u200c)[\p{Default_Ignorable_Code_Point}]|(?!\p{White_Space})\p{Cc}/gu

/**
 * The first step for every typed field: one spelling of each character, nothing invisible but ZWNJ, single spaces.
 * Cleaning twice changes nothing.
 */
export function clean(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll('¬', ZWNJ) // what old Windows keyboards put for the half space
    .replace(INVISIBLE, '')
    .normalize('NFKC') // a mark may have been kept from its letter by what is gone now
    .replace(/\p{White_Space}+/gu, ' ')
    .trim()
}
