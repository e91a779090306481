const SENTENCE_END = /[.!?؟…۔]["»”’)\]]*$/

/** The first whole sentences that have at most so many letters; of a sentence that is longer its first words. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  let lastSpace = 0
  for (let at = most; at > 0; at -= 1) {
    if (!/\s/.test(text[at] ?? '')) continue
    lastSpace ||= at
    if (text[at] === '\n' || SENTENCE_END.test(text.slice(Math.max(0, at - 4), at))) return text.slice(0, at)
  }
  if (lastSpace > 0) return text.slice(0, lastSpace)
  // One endless word: a letter of two halves stays whole.
  return text.slice(0, /[\ud800-\udbff]/.test(text[most - 1] ?? '') ? most - 1 : most)
}

/** A text in parts of at most so many letters, cut between its sentences. */
export function* partsOf(text: string, most: number): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const part = beginningOf(text.slice(at, at + most + 1), most)
    at += part.length
    if (part.trim() !== '') yield part.trim()
  }
}

const ENDS = /[.!?؟…۔]["»”’)\]]*\s+/g
/** Where each sentence of a text begins, but the first. */
const beginnings = (text: string): number[] =>
  [...text.matchAll(ENDS)].map(({ index, 0: end }) => index + end.length)

/** The first so many sentences of a text, and the rest of it. */
export function sentencesOf(text: string, count: number): [first: string, rest: string] {
  const at = beginnings(text)[count - 1] ?? text.length
  return [text.slice(0, at).trim(), text.slice(at).trim()]
}

/** Every sentence of a text. */
export function everySentence(text: string): string[] {
  const after = beginnings(text)
  return [0, ...after].map((at, index) => text.slice(at, after[index]).trim()).filter(Boolean)
}
