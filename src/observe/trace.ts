import { createHash } from 'node:crypto'

const LETTERS = 'abcdefghijklmnop'

/**
 * What all lines of the log about one account have in common: made from its keyed hash, so that nobody finds the
 * account by it. Letters only, since longer numbers are taken out of a log.
 */
export function traceOf(who: string): string {
  const digest = createHash('sha256').update(`trace:${who}`).digest('hex').slice(0, 12)
  return digest.replace(/[\da-f]/g, (digit) => LETTERS[Number.parseInt(digit, 16)] ?? '')
}
