import { type DefaultTreeAdapterTypes, parse, defaultTreeAdapter as tree } from 'parse5'

/** The visible content of a page, as a tree of texts and elements. */
export type Shown = string | Element
export type Element = {
  tag: string
  attributes: ReadonlyMap<string, string>
  parent: Element | undefined
  children: Shown[]
}

/** Upper limits for a page. Forms that people fill in are smaller and less deeply nested. */
const LARGEST_LETTERS = 4_000_000
const MOST_NODES = 200_000
const DEEPEST = 400

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))
const SILENT = words('script style template noscript head button datalist')
/** Elements that often or always have no end tag. */
const UNCLOSED = words(
  'input br img hr meta link p li td th tr option area base col embed source track wbr dd dt tbody thead tfoot',
)

/** Reads a page's visible content; `onHidden` gets hidden questions. Throws a `RangeError` if too large. */
export function readHtml(html: string, onHidden?: (name: string) => void): Element {
  if (html.length > LARGEST_LETTERS || isTooDeep(html)) throw new RangeError('too large')
  let nodes = 0
  const root: Element = { tag: '', attributes: new Map(), parent: undefined, children: [] }
  function add(node: DefaultTreeAdapterTypes.ChildNode, parent: Element, depth: number): void {
    nodes += 1
    if (nodes > MOST_NODES || depth > DEEPEST) throw new RangeError('too large')
    if (tree.isTextNode(node)) parent.children.push(node.value)
    if (!tree.isElementNode(node)) return
    const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]))
    const element = { tag: node.tagName, attributes, parent, children: [] }
    if (isHidden(element)) {
      if (onHidden) choicesIn(node).forEach(onHidden)
      return
    }
    parent.children.push(element)
    for (const child of node.childNodes) add(child, element, depth + 1)
  }
  for (const node of parse(html).childNodes) add(node, root, 0)
  return root
}

const isHidden = ({ tag, attributes }: Element): boolean =>
  SILENT.has(tag) ||
  attributes.has('hidden') ||
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attributes.get('style') ?? '')

/** The names of the lists and radio buttons below. A radio button without a value answers nothing. */
function choicesIn({ tagName, attrs, childNodes }: DefaultTreeAdapterTypes.Element): string[] {
  const { name, type = '', value } = Object.fromEntries(attrs.map((each) => [each.name, each.value]))
  const isChoice = tagName === 'select' || (/^radio$/i.test(type) && Boolean(value))
  const below = childNodes.flatMap((child) => (tree.isElementNode(child) ? choicesIn(child) : []))
  return isChoice && name ? [name, ...below] : below
}

/** The parser is slow on very deep nesting, so the tags are counted first. */
function isTooDeep(html: string): boolean {
  let depth = 0
  for (const [, end, name = '', own] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^<>]*?(\/?)>/gi)) {
    if (UNCLOSED.has(name.toLowerCase()) || own) continue
    depth = Math.max(0, depth + (end ? -1 : 1))
    if (depth > DEEPEST) return true
  }
  return false
}

/** All elements below one, in the order of the document. */
export const elementsBelow = ({ children }: Element): Element[] =>
  children.flatMap((child) => (typeof child === 'string' ? [] : [child, ...elementsBelow(child)]))

/** The words below an element. */
export function wordsOf({ children }: Element): string {
  const text = (child: Shown): string =>
    typeof child === 'string' ? child : ` ${child.children.map(text).join('')}`
  return oneLine(children.map(text).join(''))
}

export const oneLine = (text: string): string => trimmed(text.replace(/\s+/g, ' '))

const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}]/u
/** The text without space around it; joiners and marks of direction alone are no text. */
const trimmed = (text: string): string => (VISIBLE.test(text) ? text.trim() : '')

/** A text of the service without its tags, its pictures, and whether it has media that no chat can show. */
type ReadText = { text: string; pictures: string[]; hasMedia: boolean }

const BREAKS = words(
  'p div br li ul ol tr table h1 h2 h3 h4 h5 h6 blockquote section article header footer hr',
)
const MEDIA = words('video audio iframe object embed canvas svg math input select textarea')
/** Tags that cannot be anything but HTML, even without attributes or an end. */
const ALONE = words('br hr img picture source')
const OTHERS = words(
  'a abbr acronym address aside b bdi bdo big caption center cite code dd del details dfn dl dt em fieldset figcaption figure font form html body i ins kbd label legend main mark nav nobr option pre q rp rt ruby s samp small span strike strong sub summary sup tbody td tfoot th thead time tt u var wbr',
)
const namesOf = (...lists: ReadonlySet<string>[]) => lists.flatMap((list) => [...list]).join('|')
/** An HTML tag, bare or with attributes that have values, or any end tag; «x<y و y>z» is none. */
const MARKUP = new RegExp(
  [
    '<!',
    '</[a-z][\\w:-]*\\s*>',
    `<(?:${namesOf(ALONE, MEDIA)})\\b`,
    `<(?:${namesOf(BREAKS, SILENT, OTHERS)})(?:\\s*/?>|\\s[^<>=]*=[^<>]*>)`,
    '&(?:[a-z]\\w{1,30}|#\\d{1,7}|#x[\\da-f]{1,6});',
  ].join('|'),
  'i',
)

/** Reads a text that may be HTML. A tag ends a line at most. */
export function readMarkup(source: string): ReadText {
  if (!MARKUP.test(source)) return { text: trimmed(source), pictures: [], hasMedia: false }
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
    .map((line) => trimmed(line.replace(/[ \t]+/g, ' ')))
    .filter((line) => line !== '')
    .join('\n')
  return read
}
