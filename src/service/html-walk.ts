import { type DefaultTreeAdapterTypes, parse, defaultTreeAdapter as tree } from 'parse5'
import { notShown } from './errors.ts'

export type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.ChildNode

/** No form that people fill in is larger, or nested more deeply. */
const LARGEST_LETTERS = 4_000_000
const MOST_NODES = 200_000
const DEEPEST = 400

const SILENT = new Set(['script', 'style', 'template', 'noscript', 'head', 'button', 'datalist'])

export const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((one) => one.name === name)?.value

/** One step through a page in document order: into an element, out of it, or over a text. */
export type Step = { enter: Element } | { leave: Element } | { text: string }

const isHidden = (element: Element): boolean =>
  SILENT.has(element.tagName) ||
  attribute(element, 'hidden') !== undefined ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attribute(element, 'style') ?? '')

/** Every step through what a page shows. Throws `questions_unreadable` for one that is too large. */
export function stepsThrough(html: string): Step[] {
  if (html.length > LARGEST_LETTERS || isTooDeep(html)) throw notShown('too-large')
  return stepsBelow(parse(html).childNodes)
}

/** The parser itself takes long over what is nested without end, so its tags are counted first. */
function isTooDeep(html: string): boolean {
  let depth = 0
  for (const [, end, name = '', own] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^<>]*?(\/?)>/gi)) {
    if (UNCLOSED.has(name.toLowerCase()) || own) continue
    depth += end ? -1 : 1
    if (depth > DEEPEST) return true
  }
  return false
}

/** Elements that are often, or always, without an end tag. */
const UNCLOSED = new Set(
  'input br img hr meta link p li td th tr option area base col embed source track wbr dd dt tbody thead tfoot'.split(
    ' ',
  ),
)

function stepsBelow(nodes: readonly Node[]): Step[] {
  const steps: Step[] = []
  const waiting: (Node | { leave: Element; depth: number })[] = [...nodes].reverse()
  let depth = 0
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (steps.length > MOST_NODES || depth > DEEPEST) throw notShown('too-large')
    if ('leave' in node) {
      steps.push({ leave: node.leave })
      depth -= 1
    } else if (tree.isTextNode(node)) steps.push({ text: node.value })
    else if (tree.isElementNode(node) && !isHidden(node)) {
      steps.push({ enter: node })
      depth += 1
      waiting.push({ leave: node, depth }, ...[...node.childNodes].reverse())
    }
  }
  return steps
}

/** The words below an element, without those of what it leaves out. */
export function wordsOf(element: Element): string {
  const words = stepsBelow(element.childNodes).map((step) =>
    'text' in step ? step.text : 'enter' in step ? ' ' : '',
  )
  return words.join('').replace(/\s+/g, ' ').trim()
}

/** All elements below one, in the order of the document. */
export function elementsBelow(element: Element): Element[] {
  return stepsBelow(element.childNodes).flatMap((step) => ('enter' in step ? [step.enter] : []))
}
