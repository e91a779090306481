const LRM = '\u200e'
const RLM = '\u200f'

/**
 * What the Unicode algorithm would put in the wrong order inside a Persian line: a command or a @name (the sign moves
 * to the other side), a signed number, digits in groups, a UUID that begins with a digit. Tags, links and addresses
 * come first, so that nothing inside them is found; a code is taken whole, so that it copies clean. A token is looked
 * for only where one can begin: the time grows with the text, whatever it holds.
 */
const TOKENS =
  /<code>([^<]*)<\/code>|<[^<>]*>|\b[a-z]+:\/\/[^\s<]+|(?<![\w.+-])[\w.+-]+@[\w.-]+|(?<![\p{L}\p{N}_/.:;@-])(\/[a-z]\w*|@[a-z]\w*|\d[\da-f]{7}(?:-[\da-f]{4}){3}-[\da-f]{12}|[+\-−]\p{Nd}[\p{Nd}.,٫٬]*(?:[ -]\d+)*|\p{Nd}+(?:-\p{Nd}+){2,}|\d+-\d+|0\d+(?: \d+)+)/giu

/** A code that a Persian line would tear apart: it begins with a digit or a sign and is not digits alone. */
const TORN_CODE = /^[+\-/@]|^\d+[ -]/

/** Holds commands, names, signed numbers and numbers in groups together inside a Persian text (Telegram HTML). */
export function holdTogether(html: string): string {
  return html.replace(TOKENS, (token: string, code?: string, found?: string, at = 0) => {
    const isTorn = found !== undefined || (code !== undefined && TORN_CODE.test(code))
    return isTorn ? marked(html, token, at) : token
  })
}

/** Never two marks side by side: Telegram keeps only the last of them. */
function marked(html: string, token: string, at: number): string {
  const isMark = (letter: string | undefined) => letter === LRM || letter === RLM
  const before = isMark(html[at - 1]) ? '' : LRM
  const after = isMark(html[at + token.length]) ? '' : LRM
  return `${before}${token}${after}`
}

/** Lets every line of a Persian text read from the right, also one that begins with a Latin title. */
export function fromTheRight(html: string): string {
  return html
    .split('\n')
    .map((line) => (beginsLatin(line) ? `${RLM}${line}` : line))
    .join('\n')
}

/**
 * The first letter decides the direction of a line; tags, digits and signs before it do not matter. An external id before
 * any letter changes places with the number before it.
 */
function beginsLatin(line: string): boolean {
  const words = line.replace(/<[^<>]*>|&\w+;/g, '')
  return /^[^\p{L}\u200e\u200f]*(?:\p{Script=Latin}|#\d)/u.test(words)
}
