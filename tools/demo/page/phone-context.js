/** @import { Person } from '../api.ts' */

/**
 * What the page passes to each phone.
 *
 * @typedef {{
 *   t: import('./texts.js').Texts,
 *   format: import('./format.js').Format,
 *   api: import('./api.js').Api,
 *   goHome: () => void,
 *   others: (id: number) => Person[],
 *   linkUsed: () => void,
 *   changed: (person: Person) => void,
 * }} PhoneContext
 */

export {}
