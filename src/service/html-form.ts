import { toAsciiDigits } from '../domain/persian/digits.ts'
import type { Question, Questionnaire } from '../domain/questionnaire.ts'
import { notShown } from './errors.ts'
import { readTables } from './html-tables.ts'
import { attribute, type Element, elementsBelow, type Step, stepsThrough, wordsOf } from './html-walk.ts'

type Section = Questionnaire['sections'][number]
type Option = Question['options'][number]
/** What stands before a question on the page and belongs to nobody yet. */
type Said = { kind: 'heading' | 'text'; text: string } | { kind: 'picture'; src: string }

/** Controls that carry no answer of their own. */
const SILENT_INPUTS = new Set(['hidden', 'submit', 'button', 'reset', 'image'])
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'legend', 'caption'])
const INLINE = new Set(
  'a b i u em strong span small sub sup mark font abbr bdi bdo cite code q s time var wbr img'.split(' '),
)
const MEDIA = new Set(['video', 'audio', 'iframe', 'object', 'embed', 'canvas'])

/**
 * Reads an HTML form that asks for one answer to each question, by radio buttons or lists: each group of buttons, in
 * document order, is a question (name = its id, value = an option's id). The question is the legend of the group's own
 * fieldset, the first cell of its row, or what was said last before it; headings before that begin a section, and all
 * else that is said belongs to the question. Throws `questions_unreadable`, with question and reason, where anything
 * could not be shown as it is meant.
 */
export function readHtmlForm(html: string): Section[] {
  const steps = stepsThrough(html)
  const reader = createReader(steps)
  for (const step of steps) reader.take(step)
  return withoutOrdinals(reader.end())
}

type Label = { text: string; picture: string | undefined }

function labelOf(element: Element): Label {
  const image = elementsBelow(element).find(({ tagName }) => tagName === 'img')
  const text = wordsOf(element)
  return {
    text: text || (image && attribute(image, 'alt')) || '',
    picture: image && (attribute(image, 'src') ?? ''),
  }
}

const isControl = ({ tagName }: Element): boolean =>
  tagName === 'select' || tagName === 'textarea' || tagName === 'input'

const isRadio = (element: Element): boolean =>
  element.tagName === 'input' && attribute(element, 'type')?.toLowerCase() === 'radio'

/** What is known of the whole page before it is read: labels by the control they name, names within fieldsets. */
function survey(steps: readonly Step[]) {
  const elements = steps.flatMap((step) => ('enter' in step ? [step.enter] : []))
  const byId = new Map(
    elements.flatMap((each) => (attribute(each, 'id') ? [[attribute(each, 'id'), each]] : [])),
  )
  const labels = new Map<Element, Element>()
  const names = new Map<Element, Set<string>>()
  const holders: Element[] = []
  for (const step of steps) {
    if ('leave' in step && holders.at(-1) === step.leave) holders.pop()
    if (!('enter' in step)) continue
    const { enter } = step
    if (enter.tagName === 'label') {
      const named = byId.get(attribute(enter, 'for') ?? '')
      const inside = elementsBelow(enter).filter(isControl)
      const control = named && isControl(named) ? named : inside[0]
      // One label around several buttons names none of them.
      if (control && inside.length < 2) labels.set(control, enter)
    }
    if (enter.tagName === 'fieldset' || attribute(enter, 'role') === 'radiogroup') {
      holders.push(enter)
      names.set(enter, new Set())
    } else if (isControl(enter)) {
      for (const holder of holders) names.get(holder)?.add(attribute(enter, 'name') ?? '')
    }
  }
  return { byId, labels, names, ownLabels: new Set(labels.values()) }
}

function createReader(steps: readonly Step[]) {
  const { byId, labels, names, ownLabels } = survey(steps)
  const tables = readTables(steps, (element) => labels.has(element))
  const sections: Section[] = []
  const questions = new Map<string, Question>()
  const holders: { element: Element; legend?: string }[] = []
  let said: Said[] = []
  let words = ''
  /** A button whose label is the text behind it. */
  let unlabelled: { option: Option; question: number } | undefined
  /** What is read as a whole: its words are not the page's. */
  let skipped: Element | undefined

  const count = () => questions.size

  function flush(kind: 'heading' | 'text' = 'text'): void {
    const text = words.replace(/\s+/g, ' ').trim()
    words = ''
    if (text === '') return
    if (unlabelled && kind === 'text') {
      unlabelled.option.label = text
      unlabelled = undefined
    } else said.push({ kind, text })
  }

  function settle(): void {
    flush()
    if (unlabelled) throw notShown('no-label', unlabelled.question)
  }

  /** The question that begins with this control, from what was said before it. */
  function begin(control: Element, name: string, own?: string): Question {
    const number = count() + 1
    const row = tables.rowOf(control)
    const holder = [...holders].reverse().find(({ element }) => names.get(element)?.size === 1)
    const named = own || (holder?.legend ?? ariaName(holder?.element)) || row
    const texts = said.flatMap((each) => (each.kind === 'picture' ? [] : [each]))
    const main = named || texts.at(-1)?.text
    const pictures = said.flatMap((each) => (each.kind === 'picture' ? [each.src] : []))
    if (!main && pictures.length === 0) throw notShown('no-text', number)
    const beside = named ? texts.filter(({ text }) => text !== named) : texts.slice(0, -1)
    const headings = beside.filter(({ kind }) => kind === 'heading').map(({ text }) => text)
    const rest = beside.filter(({ kind }) => kind === 'text').map(({ text }) => text)
    said = []
    if (headings.length > 0 || sections.length === 0)
      sections.push({ ...(headings.length > 0 && { title: headings.join(' – ') }), questions: [] })
    const question: Question = {
      id: name,
      text: main || '🖼',
      ...(rest.length > 0 && { note: rest.join('\n') }),
      ...(pictures.length > 0 && { pictures }),
      options: [],
    }
    sections.at(-1)?.questions.push(question)
    questions.set(name, question)
    return question
  }

  const ariaName = (element: Element | undefined): string | undefined => {
    if (!element) return undefined
    const by = byId.get(attribute(element, 'aria-labelledby') ?? '')
    return attribute(element, 'aria-label') || (by && wordsOf(by))
  }

  function takeRadio(radio: Element): void {
    settle()
    const name = attribute(radio, 'name')
    const value = attribute(radio, 'value')
    const number = count() + (name !== undefined && questions.has(name) ? 0 : 1)
    if (!name || !value) throw notShown('no-value', number)
    const known = questions.get(name)
    const question = known ?? begin(radio, name)
    if (known) addNote(known)
    const label = labels.get(radio)
    const read = label ? labelOf(label) : { text: '', picture: undefined }
    const text = read.text || ariaName(radio) || attribute(radio, 'title') || tables.columnOf(radio) || ''
    const option = {
      id: value,
      label: text || (read.picture === undefined ? '' : '🖼'),
      ...(read.picture !== undefined && { picture: read.picture }),
    }
    question.options.push(option)
    if (option.label === '') unlabelled = { option, question: number }
  }

  /** What is said between the options of a question belongs to it. */
  function addNote(question: Question): void {
    const texts = said.flatMap((each) => (each.kind === 'picture' ? [] : [each.text]))
    const pictures = said.flatMap((each) => (each.kind === 'picture' ? [each.src] : []))
    said = []
    if (texts.length > 0) question.note = [...(question.note ? [question.note] : []), ...texts].join('\n')
    if (pictures.length > 0) question.pictures = [...(question.pictures ?? []), ...pictures]
  }

  function takeList(list: Element): void {
    settle()
    const number = count() + 1
    const name = attribute(list, 'name')
    if (!name || questions.has(name)) throw notShown('no-value', number)
    if (attribute(list, 'multiple') !== undefined) throw notShown('several', number)
    const label = labels.get(list)
    const question = begin(list, name, (label && wordsOf(label)) || ariaName(list))
    let group = ''
    for (const each of elementsBelow(list)) {
      if (each.tagName === 'optgroup') group = attribute(each, 'label') ?? ''
      if (each.tagName !== 'option' || attribute(each, 'disabled') !== undefined) continue
      const text = wordsOf(each) || attribute(each, 'label') || ''
      const value = attribute(each, 'value') ?? text
      // «انتخاب کنید» is no answer.
      if (value === '') continue
      if (text === '') throw notShown('no-label', number)
      const isGrouped = each.parentNode?.nodeName === 'optgroup' && group !== ''
      question.options.push({ id: value, label: isGrouped ? `${group}: ${text}` : text })
    }
    if (question.options.length === 0) throw notShown('no-options', number)
  }

  function takeControl(element: Element): void {
    if (isRadio(element)) takeRadio(element)
    else if (element.tagName === 'select') takeList(element)
    else refuse(element)
  }

  function refuse(element: Element): void {
    const type = element.tagName === 'input' ? (attribute(element, 'type')?.toLowerCase() ?? 'text') : 'text'
    if (SILENT_INPUTS.has(type)) return
    throw notShown(type === 'checkbox' ? 'several' : 'free-text', count() + 1)
  }

  function enter(element: Element): void {
    const { tagName } = element
    if (MEDIA.has(tagName)) throw notShown('media', count() + 1)
    if (isControl(element)) {
      takeControl(element)
      if (tagName !== 'input') skipped = element
      return
    }
    if (tagName === 'label' && ownLabels.has(element)) {
      // Its words are read with its control, which may stand in it.
      flush()
      skipped = element
      for (const each of elementsBelow(element)) if (isControl(each)) takeControl(each)
      return
    }
    if (tables.isRead(element)) {
      flush()
      skipped = element
      return
    }
    if (tagName === 'img') {
      flush()
      said.push({ kind: 'picture', src: attribute(element, 'src') ?? '' })
    } else if (!INLINE.has(tagName)) {
      flush()
      if (tagName === 'fieldset' || attribute(element, 'role') === 'radiogroup') {
        settle()
        const legend = elementsBelow(element).find((each) => each.tagName === 'legend')
        const isOwn = names.get(element)?.size === 1 && legend
        holders.push({ element, ...(isOwn && { legend: wordsOf(legend) }) })
      }
    }
  }

  function leave(element: Element): void {
    if (HEADINGS.has(element.tagName)) flush('heading')
    else if (!INLINE.has(element.tagName)) flush()
    if (holders.at(-1)?.element === element) holders.pop()
  }

  return {
    take(step: Step): void {
      if (skipped) {
        if ('leave' in step && step.leave === skipped) skipped = undefined
        return
      }
      if ('text' in step) words += step.text
      else if ('enter' in step) enter(step.enter)
      else leave(step.leave)
    },
    end(): Section[] {
      settle()
      for (const [index, { options }] of [...questions.values()].entries()) {
        const shown = options.map(({ label, picture }) => `${label}\n${picture ?? ''}`)
        if (new Set(shown).size < shown.length) throw notShown('same-label', index + 1)
      }
      return sections
    },
  }
}

/** A page may number its questions; so do we. Only a number in front of every text that is its place is one. */
function withoutOrdinals(sections: Section[]): Section[] {
  const all = sections.flatMap(({ questions }) => questions)
  const parted = all.map(({ text }) => /^(\d{1,4})\s*[.)\-–:،]\s*(?=\S)/.exec(toAsciiDigits(text)))
  if (parted.some((match, index) => Number(match?.[1]) !== index + 1)) return sections
  let index = 0
  return sections.map((section) => ({
    ...section,
    questions: section.questions.map((question) => {
      const length = parted[index++]?.[0].length
      return { ...question, text: question.text.slice(length) }
    }),
  }))
}
