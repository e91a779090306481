import { type DefaultTreeAdapterTypes, parseFragment, defaultTreeAdapter as tree } from 'parse5'

/** What a text of the service says, without its tags; its pictures; whether it holds what no chat can show. */
type ReadText = { text: string; pictures: string[]; hasMedia: boolean }

const MARKUP = /<[a-z!/][^>]*>|&(?:[a-z]\w{1,30}|#\d{1,7}|#x[\da-f]{1,6});/i
const BREAKS = new Set(
  'p div br li ul ol tr table h1 h2 h3 h4 h5 h6 blockquote section article header footer hr'.split(' '),
)
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'head'])
const MEDIA = new Set('video audio iframe object embed canvas svg math input select textarea'.split(' '))

/** Reads a text that may be HTML; tags end nothing but lines. */
export function readMarkup(source: string): ReadText {
  if (!MARKUP.test(source)) return { text: source.trim(), pictures: [], hasMedia: false }
  const read: ReadText = { text: '', pictures: [], hasMedia: false }
  const waiting: (DefaultTreeAdapterTypes.ChildNode | string)[] = [
    ...parseFragment(source).childNodes,
  ].reverse()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node === 'string') read.text += node
    else if (tree.isTextNode(node)) read.text += node.value.replace(/\s+/g, ' ')
    else if (tree.isElementNode(node) && !SILENT.has(node.tagName)) {
      const { tagName } = node
      if (MEDIA.has(tagName)) read.hasMedia = true
      if (tagName === 'img') read.pictures.push(node.attrs.find(({ name }) => name === 'src')?.value ?? '')
      const edge = BREAKS.has(tagName) ? '\n' : ''
      read.text += edge + (tagName === 'li' ? '• ' : '')
      waiting.push(edge, ...[...node.childNodes].reverse())
    }
  }
  read.text = read.text
    .split('\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{2,}/g, '\n')
    .trim()
  return read
}
