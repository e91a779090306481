const SENTENCE_END = /[.!?؟…۔]["»”’)\]]*$/

/** The first whole sentences with at most this many letters; of a longer sentence its first words. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  let lastSpace = 0
  for (let at = most; at > 0; at -= 1) {
    if (!/\s/.test(text[at] ?? '')) continue
    lastSpace ||= at
    if (text[at] === '\n' || SENTENCE_END.test(text.slice(Math.max(0, at - 4), at))) return text.slice(0, at)
  }
  if (lastSpace > 0) return text.slice(0, lastSpace)
  // The text is one endless word. A surrogate pair must stay whole.
  return text.slice(0, /[\ud800-\udbff]/.test(text[most - 1] ?? '') ? most - 1 : most)
}

/** A text in parts of at most this many letters, cut between its sentences. */
export function* partsOf(text: string, most: number): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const part = beginningOf(text.slice(at, at + most + 1), most)
    at += part.length
    if (part.trim() !== '') yield part.trim()
  }
}

const ENDS = /[.!?؟…۔]["»”’)\]]*\s+/g
/** Where each sentence but the first begins. */
const beginnings = (text: string): number[] =>
  [...text.matchAll(ENDS)].map(({ index, 0: end }) => index + end.length)

/** The first sentences of a text, as many as `count`, and the rest of it. */
export function sentencesOf(text: string, count: number): [first: string, rest: string] {
  const at = beginnings(text)[count - 1] ?? text.length
  return [text.slice(0, at).trim(), text.slice(at).trim()]
}

/** Every sentence of a text. */
export function everySentence(text: string): string[] {
  const after = beginnings(text)
  return [0, ...after].map((at, index) => text.slice(at, after[index]).trim()).filter(Boolean)
}
