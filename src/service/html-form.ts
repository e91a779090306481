import { type Element, elementsBelow, oneLine, readHtml, type Shown, wordsOf } from '../domain/html-tree.ts'
import { toAsciiDigits } from '../domain/persian/clean.ts'
import type { Option, Question, Section } from '../domain/questionnaire.ts'
import { notShown } from './errors.ts'
import { type Controls, isControl, isDisabled, readControls } from './html-controls.ts'

/** The state of reading a form. */
type Form = {
  controls: Controls
  sections: Section[]
  questions: Map<string, Question>
  /** Page content that is not yet assigned to a question. */
  pending: { kind: 'heading' | 'text' | 'picture'; text: string }[]
  /** The words after that content. */
  words: string
  /** The surrounding groups whose controls belong to one question, each with its title if it has one. */
  groups: (string | undefined)[]
  /** An option whose label is the text after it. */
  unlabelled?: { option: Option; question: number } | undefined
}

/** The text of an option or question that is only a picture. */
const PICTURE = '🖼'
/** Controls without an answer. */
const SILENT_INPUTS = new Set(['hidden', 'submit', 'button', 'reset', 'image'])
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'legend', 'caption'])
const INLINE = new Set(
  'a b i u em strong span small sub sup mark font abbr bdi bdo cite code q s time var wbr'.split(' '),
)
const MEDIA = new Set(['video', 'audio', 'iframe', 'object', 'embed', 'canvas'])

/**
 * Reads an HTML form that asks for one answer to each question, by radio buttons or lists. Each group of
 * buttons, in document order, is a question (name = its id, value = an option's id). The question's text is
 * the legend of the group's own fieldset, the first cell of its row, or the last text before it. Earlier
 * headings begin a section, and all other texts belong to the question. Throws `questions_unreadable`, with
 * question and reason, if anything cannot be shown faithfully.
 */
export function readHtmlForm(html: string): Section[] {
  const hidden: string[] = []
  const page = readHtml(html, (name) => hidden.push(name))
  const controls = readControls(page)
  refuseShared(page)
  // A page that shows its questions one by one may hide some: each of them must have been read.
  if (hidden.some((name) => !namesIn(page).has(name))) throw notShown('unreadable')
  const form: Form = { controls, sections: [], questions: new Map(), pending: [], words: '', groups: [] }
  take(form, page)
  settle(form)
  for (const [index, { options }] of [...form.questions.values()].entries()) {
    if (options.length === 0) throw notShown('no-options', index + 1)
    const shown = options.map(({ label, picture }) => `${label}\n${picture ?? ''}`)
    if (new Set(shown).size < shown.length) throw notShown('same-label', index + 1)
  }
  return withoutOrdinals(form.sections)
}

/** A name in two forms belongs to two questions, so an answer would be ambiguous. */
function refuseShared(page: Element): void {
  const forms = elementsBelow(page).filter(({ tag }) => tag === 'form')
  const names = forms.flatMap((form) => [...namesIn(form)])
  if (new Set(names).size < names.length) throw notShown('unreadable')
}

const namesIn = (element: Element) =>
  new Set(
    elementsBelow(element)
      .filter(isChoice)
      .map(({ attributes }) => attributes.get('name') ?? ''),
  )

const isChoice = (element: Element): boolean =>
  isControl(element) && !SILENT_INPUTS.has(element.attributes.get('type')?.toLowerCase() ?? 'text')

/** Reads a page from top to bottom. */
function take(form: Form, shown: Shown): void {
  if (typeof shown === 'string') {
    form.words += shown
    return
  }
  const { tag, attributes, children } = shown
  if (MEDIA.has(tag)) throw notShown('media', form.questions.size + 1)
  const isInline = INLINE.has(tag) || isControl(shown)
  if (!isInline) endWords(form)
  if (form.controls.readElsewhere.has(shown)) {
    endWords(form)
    // A label may contain its control; a row that was read has none.
    for (const each of elementsBelow(shown)) if (isControl(each)) takeControl(form, each)
    return
  }
  if (isControl(shown)) {
    takeControl(form, shown)
    return
  }
  if (tag === 'img') form.pending.push({ kind: 'picture', text: attributes.get('src') ?? '' })
  const { groups } = form
  form.groups = [...groups, ...groupOf(form, shown)]
  for (const child of children) take(form, child)
  form.groups = groups
  if (!isInline) endWords(form, HEADINGS.has(tag) ? 'heading' : 'text')
}

/** Ends the words since the last element: they become a label or page content. */
function endWords(form: Form, kind: 'heading' | 'text' = 'text'): void {
  const text = oneLine(form.words)
  form.words = ''
  if (text === '') return
  if (kind === 'text' && form.unlabelled) {
    form.unlabelled.option.label = text
    form.unlabelled = undefined
  } else form.pending.push({ kind, text })
}

/** The title of a group, if all its controls belong to one question. */
function groupOf(form: Form, element: Element): (string | undefined)[] {
  if (element.tag !== 'fieldset' && element.attributes.get('role') !== 'radiogroup') return []
  settle(form)
  const below = elementsBelow(element)
  const names = new Set(below.filter(isControl).map(({ attributes }) => attributes.get('name') ?? ''))
  if (names.size !== 1) return []
  const legend = below.find(({ tag }) => tag === 'legend')
  return [legend ? wordsOf(legend) : form.controls.ariaName(element)]
}

function takeControl(form: Form, control: Element): void {
  const { tag, attributes } = control
  const type = tag === 'input' ? (attributes.get('type')?.toLowerCase() ?? 'text') : 'text'
  if (SILENT_INPUTS.has(type)) return
  const title = form.groups.at(-1) || form.controls.rows.get(control)
  if (tag === 'select' || type === 'radio') endWords(form)
  settle(form)
  if (tag === 'select') takeList(form, control, title)
  else if (type === 'radio') takeRadio(form, control, title)
  else throw notShown(type === 'checkbox' ? 'several' : 'free-text', form.questions.size + 1)
}

/** After this point, no text can be the label of an earlier button. */
function settle({ unlabelled }: Form): void {
  if (unlabelled) throw notShown('no-label', unlabelled.question)
}

function takeRadio(form: Form, control: Element, title: string | undefined): void {
  const { questions, controls } = form
  const [name, value] = ['name', 'value'].map((each) => control.attributes.get(each))
  const number = questions.size + (name !== undefined && questions.has(name) ? 0 : 1)
  if (!name || !value) throw notShown('no-value', number)
  const known = questions.get(name)
  if (known) {
    // Texts between the options of a question belong to it.
    const { texts, pictures } = takePending(form)
    add(known, texts, pictures)
  }
  const question = known ?? begin(form, name, title)
  const label = controls.labels.get(control)
  const image = label && elementsBelow(label).find(({ tag }) => tag === 'img')
  const picture = image && (image.attributes.get('src') ?? '')
  const text =
    (label && wordsOf(label)) ||
    image?.attributes.get('alt') ||
    controls.ariaName(control) ||
    control.attributes.get('title') ||
    controls.columns.get(control) ||
    (picture === undefined ? '' : PICTURE)
  const option = { id: value, label: text, ...(picture !== undefined && { picture }) }
  if (!isDisabled(control)) question.options.push(option)
  if (text === '') form.unlabelled = { option, question: number }
}

function takeList(form: Form, list: Element, titleAround: string | undefined): void {
  const { questions, controls } = form
  const name = list.attributes.get('name')
  const number = questions.size + 1
  if (!name || questions.has(name)) throw notShown('no-value', number)
  if (list.attributes.has('multiple')) throw notShown('several', number)
  const label = controls.labels.get(list)
  const question = begin(form, name, (label && wordsOf(label)) || controls.ariaName(list) || titleAround)
  question.options = optionsOf(list)
  if (question.options.some((option) => option.label === '')) throw notShown('no-label', number)
}

function optionsOf(list: Element): Option[] {
  return elementsBelow(list).flatMap((each) => {
    const { tag, attributes, parent } = each
    if (tag !== 'option' || isDisabled(each)) return []
    const text = wordsOf(each) || attributes.get('label') || ''
    const id = attributes.get('value') ?? text
    const group = parent?.tag === 'optgroup' && parent.attributes.get('label')
    // «انتخاب کنید» ("choose") is no answer.
    return id === '' ? [] : [{ id, label: group && text ? `${group}: ${text}` : text }]
  })
}

/** Takes the page content since the last control, split into texts and pictures. */
function takePending(form: Form) {
  const texts = form.pending.filter(({ kind }) => kind !== 'picture')
  const pictures = form.pending.filter(({ kind }) => kind === 'picture').map(({ text }) => text)
  form.pending = []
  return { texts, pictures }
}

/** Begins the question of a control, from its title and the page content before it. */
function begin(form: Form, name: string, title: string | undefined): Question {
  const { texts, pictures } = takePending(form)
  const main = title || texts.at(-1)?.text
  if (!main && pictures.length === 0) throw notShown('no-text', form.questions.size + 1)
  const beside = title ? texts.filter(({ text }) => text !== title) : texts.slice(0, -1)
  const headings = beside.filter(({ kind }) => kind === 'heading').map(({ text }) => text)
  const rest = beside.filter(({ kind }) => kind === 'text')
  if (headings.length > 0 || form.sections.length === 0)
    form.sections.push({ ...(headings.length > 0 && { title: headings.join(' – ') }), questions: [] })
  const question: Question = { id: name, text: main || PICTURE, options: [] }
  add(question, rest, pictures)
  form.sections.at(-1)?.questions.push(question)
  form.questions.set(name, question)
  return question
}

function add(question: Question, texts: Form['pending'], pictures: string[]): void {
  const notes = texts.map(({ text }) => text)
  if (notes.length > 0) question.note = [...(question.note ? [question.note] : []), ...notes].join('\n')
  if (pictures.length > 0) question.pictures = [...(question.pictures ?? []), ...pictures]
}

/** Removes the page's own numbers, if each is the question's position: we number questions ourselves. */
function withoutOrdinals(sections: Section[]): Section[] {
  const all = sections.flatMap(({ questions }) => questions)
  const parted = all.map(({ text }) => /^(\d{1,4})\s*[.)\-–:،]\s*(?=\S)/.exec(toAsciiDigits(text)))
  if (parted.some((match, index) => Number(match?.[1]) !== index + 1)) return sections
  for (const [index, question] of all.entries())
    question.text = question.text.slice(parted[index]?.[0].length)
  return sections
}
