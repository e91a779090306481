import { readHtml, type Shown } from './html-tree.ts'

/** What a text of the service says, without its tags; its pictures; whether it holds what no chat can show. */
type ReadText = { text: string; pictures: string[]; hasMedia: boolean }

const MARKUP = /<[a-z!/][^>]*>|&(?:[a-z]\w{1,30}|#\d{1,7}|#x[\da-f]{1,6});/i
const BREAKS = new Set(
  'p div br li ul ol tr table h1 h2 h3 h4 h5 h6 blockquote section article header footer hr'.split(' '),
)
const MEDIA = new Set('video audio iframe object embed canvas svg math input select textarea'.split(' '))

/** Reads a text that may be HTML; tags end nothing but lines. */
export function readMarkup(source: string): ReadText {
  if (!MARKUP.test(source)) return { text: source.trim(), pictures: [], hasMedia: false }
  const read: ReadText = { text: '', pictures: [], hasMedia: false }
  function take(shown: Shown): string {
    if (typeof shown === 'string') return shown.replace(/\s+/g, ' ')
    const { tag, attributes, children } = shown
    if (MEDIA.has(tag)) read.hasMedia = true
    if (tag === 'img') read.pictures.push(attributes.get('src') ?? '')
    const edge = BREAKS.has(tag) ? '\n' : ''
    return edge + (tag === 'li' ? '• ' : '') + children.map(take).join('') + edge
  }
  const lines = take(readHtml(source)).split('\n')
  read.text = lines
    .map((line) => line.replace(/[ \t]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
  return read
}
