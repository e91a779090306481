import type { Unshown } from '../domain/questionnaire.ts'
import { type Controls, isControl, isGroup, readControls } from './html-controls.ts'
import { attribute, type Element, elementsBelow, type Step, stepsThrough, wordsOf } from './html-walk.ts'

/** `title`: what the page itself ties to the question; `label`: the words of a button, none where they follow. */
export type Radio = { name: string | undefined; value: string | undefined; title: string | undefined } & {
  label: string
  picture?: string | undefined
}
export type List = Pick<Radio, 'name' | 'title'> & {
  isMultiple: boolean
  options: { id: string; label: string }[]
}

/** What a page consists of, as the reader of a form meets it. */
export type Piece =
  | { kind: 'heading' | 'text'; text: string }
  | { kind: 'picture'; src: string }
  | { kind: 'group' }
  | { kind: 'radio'; radio: Radio }
  | { kind: 'list'; list: List }
  | { kind: 'refused'; why: Unshown['why'] }

/** Controls that carry no answer of their own. */
const SILENT_INPUTS = new Set(['hidden', 'submit', 'button', 'reset', 'image'])
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'legend', 'caption'])
const INLINE = new Set(
  'a b i u em strong span small sub sup mark font abbr bdi bdo cite code q s time var wbr img'.split(' '),
)
const MEDIA = new Set(['video', 'audio', 'iframe', 'object', 'embed', 'canvas'])

/** Where the walk through a page has come to. */
type Walk = {
  controls: Controls
  pieces: Piece[]
  /** The words since the last piece. */
  words: string
  /** The groups around, with their legends. */
  groups: { element: Element; legend?: string }[]
  /** What is read as a whole: its words are not the page's. */
  skipped?: Element | undefined
}

/** Takes a page apart, in document order. Throws `questions_unreadable` for one that is too large. */
export function piecesOf(html: string): Piece[] {
  const steps = stepsThrough(html)
  const walk: Walk = { controls: readControls(steps), pieces: [], words: '', groups: [] }
  for (const step of steps) take(walk, step)
  flush(walk)
  return walk.pieces
}

function take(walk: Walk, step: Step): void {
  if (walk.skipped) {
    if ('leave' in step && step.leave === walk.skipped) walk.skipped = undefined
  } else if ('text' in step) walk.words += step.text
  else if ('enter' in step) enter(walk, step.enter)
  else leave(walk, step.leave)
}

function flush(walk: Walk, kind: 'heading' | 'text' = 'text'): void {
  const text = walk.words.replace(/\s+/g, ' ').trim()
  walk.words = ''
  if (text !== '') walk.pieces.push({ kind, text })
}

function enter(walk: Walk, element: Element): void {
  const { tagName } = element
  const { controls, pieces } = walk
  if (MEDIA.has(tagName)) pieces.push({ kind: 'refused', why: 'media' })
  else if (isControl(element)) {
    takeControl(walk, element)
    if (tagName !== 'input') walk.skipped = element
  } else if (controls.isReadElsewhere(element)) {
    flush(walk)
    walk.skipped = element
    // A label's control may stand in it.
    if (controls.isOwnLabel(element))
      for (const each of elementsBelow(element)) if (isControl(each)) takeControl(walk, each)
  } else if (tagName === 'img') {
    flush(walk)
    pieces.push({ kind: 'picture', src: attribute(element, 'src') ?? '' })
  } else if (!INLINE.has(tagName)) {
    flush(walk)
    if (isGroup(element)) enterGroup(walk, element)
  }
}

function enterGroup({ controls, groups, pieces }: Walk, element: Element): void {
  pieces.push({ kind: 'group' })
  const legend = elementsBelow(element).find(({ tagName }) => tagName === 'legend')
  const isOwn = legend && controls.isOneQuestion(element)
  groups.push({ element, ...(isOwn && { legend: wordsOf(legend) }) })
}

function leave(walk: Walk, element: Element): void {
  if (HEADINGS.has(element.tagName)) flush(walk, 'heading')
  else if (!INLINE.has(element.tagName)) flush(walk)
  if (walk.groups.at(-1)?.element === element) walk.groups.pop()
}

function takeControl(walk: Walk, element: Element): void {
  const { controls, pieces } = walk
  const type = element.tagName === 'input' ? (attribute(element, 'type')?.toLowerCase() ?? 'text') : 'text'
  const name = attribute(element, 'name')
  if (element.tagName === 'select') {
    flush(walk)
    const title = controls.nameOf(element) || titleOf(walk, element)
    const isMultiple = attribute(element, 'multiple') !== undefined
    pieces.push({ kind: 'list', list: { name, title, isMultiple, options: optionsOf(element) } })
  } else if (type === 'radio') {
    flush(walk)
    const { text: label, picture } = controls.labelOf(element)
    const value = attribute(element, 'value')
    pieces.push({ kind: 'radio', radio: { name, value, title: titleOf(walk, element), label, picture } })
  } else if (!SILENT_INPUTS.has(type)) {
    pieces.push({ kind: 'refused', why: type === 'checkbox' ? 'several' : 'free-text' })
  }
}

/** The legend or name of the group that is this question's alone, or the first cell of its row. */
function titleOf({ controls, groups }: Walk, control: Element): string | undefined {
  const group = groups.findLast(({ element }) => controls.isOneQuestion(element))
  return (group && (group.legend ?? controls.ariaName(group.element))) || controls.rowOf(control)
}

function optionsOf(list: Element): List['options'] {
  const options: List['options'] = []
  let group = ''
  for (const each of elementsBelow(list)) {
    if (each.tagName === 'optgroup') group = attribute(each, 'label') ?? ''
    if (each.tagName !== 'option' || attribute(each, 'disabled') !== undefined) continue
    const text = wordsOf(each) || attribute(each, 'label') || ''
    const id = attribute(each, 'value') ?? text
    const isGrouped = each.parentNode?.nodeName === 'optgroup' && group !== '' && text !== ''
    // «انتخاب کنید» is no answer.
    if (id !== '') options.push({ id, label: isGrouped ? `${group}: ${text}` : text })
  }
  return options
}
