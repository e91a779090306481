const LRM = '\u200e'
const RLM = '\u200f'

/**
 * Tokens that the Unicode algorithm would reorder inside a Persian line: a command or a @name (the sign moves
 * to the other side), a signed number, digits in groups, a UUID that begins with a digit. Tags, links and
 * addresses come first, so that nothing inside them matches. A code matches as a whole, so that it copies
 * clean. A token matches only where one can begin: matching time grows with the text, whatever it contains.
 */
const TOKENS =
  /<code>([^<]*)<\/code>|<[^<>]*>|\b[a-z]+:\/\/[^\s<]+|(?<![\w.+-])[\w.+-]+@[\w.-]+|(?<![\p{L}\p{N}_/.:;@-])(\/[a-z]\w*|@[a-z]\w*|\d[\da-f]{7}(?:-[\da-f]{4}){3}-[\da-f]{12}|\+\p{Nd}+(?:[ -]\p{Nd}+)+|[+\-−]\p{Nd}[\p{Nd}.,٫٬]*(?:[ -]\d+)*|[0۰]\p{Nd}{2,}(?: ?- ?\p{Nd}+| \p{Nd}+)+|\p{Nd}+(?:-\p{Nd}+){2,}|\d+-\d+|[0۰]\p{Nd}+(?: \p{Nd}+)+)/giu

/** A code that a Persian line would reorder: it begins with a digit or a sign and is not digits alone. */
const TORN_CODE = /^[+\-/@]|^\d+[ -]/

/** Keeps commands, names, signed and grouped numbers in order inside a Persian text (Telegram HTML). */
export function keepTokensInOrder(html: string): string {
  return html.replace(TOKENS, (token: string, code?: string, found?: string, at = 0) => {
    const isTorn = found !== undefined || (code !== undefined && TORN_CODE.test(code))
    return isTorn ? marked(html, token, at) : token
  })
}

/** Never adds two marks side by side: Telegram keeps only the last one. */
function marked(html: string, token: string, at: number): string {
  const isMark = (letter: string | undefined) => letter === LRM || letter === RLM
  const before = isMark(html[at - 1]) ? '' : LRM
  const after = isMark(html[at + token.length]) ? '' : LRM
  return `${before}${token}${after}`
}

/** Letters of right-to-left scripts, and of a left-to-right one. */
const FROM_THE_RIGHT = /(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}]/u
const LATIN = /\p{Script=Latin}/u
/** Values that need no marks in a Persian line: one word, or a link that touches no other character. */
const ALONE = /^(?:\p{Script=Latin}\S*[\p{L}\p{N}]|\S*[/@]\S*)$/u
const ISOLATED = /\u2068([^\u2069]*)\u2069/g
/** Where marks would be copied too, or break Telegram's parsing: a code, the inside of a tag, a @name. */
const BARE = /<code>[^<]*<\/code>|<[^<>]*>|@\u2068[^\u2069]*\u2069/g

/** Isolates each line of a value with the opposite direction, so that two values do not change places. */
export const isolated = (value: string, isRtl: boolean): string =>
  value.replace(/[^\n]+/g, (line) => {
    const isOther = isRtl
      ? /^\P{L}*\p{Script=Latin}/u.test(line) && !ALONE.test(line)
      : FROM_THE_RIGHT.test(line)
    return isOther ? `\u2068${line}\u2069` : line
  })

/** Removes the marks of `isolated` where they do harm, and from a line that is a single value. */
export function withoutNeedlessMarks(html: string): string {
  if (!html.includes('\u2068')) return html
  return html
    .replace(BARE, bare)
    .split('\n')
    .map((line) => (isOneValue(line) ? bare(line) : line))
    .join('\n')
}

const bare = (text: string): string => text.replace(ISOLATED, '$1')
const isOneValue = (line: string): boolean =>
  (line.match(ISOLATED)?.length ?? 0) < 2 && !/\p{L}/u.test(wordsOf(line).replace(ISOLATED, ''))
const wordsOf = (line: string): string => line.replace(/<[^<>]*>|&\w+;/g, '')

/** Gives every line its direction, even if it begins with a title in the other direction. */
export function withDirection(html: string, isRtl: boolean): string {
  return html
    .split('\n')
    .map(isRtl ? fromTheRight : fromTheLeft)
    .join('\n')
}

/** A marked token before any letter: its marks would turn the line, and adjacent marks merge. */
const HELD_FIRST =
  /^((?:<[^<>]*>|[^\p{L}\u200e\u200f\u2068<])*)\u200e(<code>[^<]*<\/code>|[^\u200e\u200f<]*)\u200e/u

/**
 * The first letter decides the direction of a line. Tags, digits and signs before it do not matter, and
 * digits alone have none. An external id before any letter changes places with the number before it.
 */
const TURNED = /^[^\p{L}\u200e\u200f]*([\p{Script=Latin}\u200e]|#\d|$)/u

function fromTheRight(line: string): string {
  const words = wordsOf(line)
  const turn = TURNED.exec(words)?.[1]
  if (turn === undefined || !/[\p{L}\p{N}]/u.test(words)) return line
  if (turn === LRM) return line.replace(HELD_FIRST, `${RLM}$1\u2066$2\u2069`)
  // The final punctuation of an all-Latin line must stay at the end of the Latin text.
  const isLatin = !FROM_THE_RIGHT.test(words) && /[.?!…)]$/.test(bare(words))
  return `${RLM}${line}${isLatin ? LRM : ''}`
}

const fromTheLeft = (line: string): string => (beginsPersian(wordsOf(line)) ? `${LRM}${line}` : line)

/** Only a line with Latin letters, too, needs a mark: an all-Persian line may read from the right. */
const beginsPersian = (words: string): boolean =>
  /^[^\p{L}\u200e\u200f]*(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(words) &&
  LATIN.test(words.replace(ISOLATED, ''))
