import { toAsciiDigits } from '../domain/persian/digits.ts'
import type { Question, Questionnaire } from '../domain/questionnaire.ts'
import { notShown } from './errors.ts'
import { type List, type Piece, piecesOf, type Radio } from './html-pieces.ts'

type Section = Questionnaire['sections'][number]
type Option = Question['options'][number]
/** What stands before a question on the page and belongs to nobody yet. */
type Said = Extract<Piece, { kind: 'heading' | 'text' | 'picture' }>

/** A form, as far as it has been read. */
type Form = {
  sections: Section[]
  questions: Map<string, Question>
  said: Said[]
  /** A button whose label is the text behind it. */
  unlabelled?: { option: Option; question: number } | undefined
}

/** In the place of words that only a picture says. */
const PICTURE = '🖼'

/**
 * Reads an HTML form that asks for one answer to each question, by radio buttons or lists: each group of buttons, in
 * document order, is a question (name = its id, value = an option's id). The question is the legend of the group's own
 * fieldset, the first cell of its row, or what was said last before it; headings before that begin a section, and all
 * else that is said belongs to the question. Throws `questions_unreadable`, with question and reason, where anything
 * could not be shown as it is meant.
 */
export function readHtmlForm(html: string): Section[] {
  const form: Form = { sections: [], questions: new Map(), said: [] }
  for (const piece of piecesOf(html)) take(form, piece)
  settle(form)
  for (const [index, { options }] of [...form.questions.values()].entries()) {
    const shown = options.map(({ label, picture }) => `${label}\n${picture ?? ''}`)
    if (new Set(shown).size < shown.length) throw notShown('same-label', index + 1)
  }
  return withoutOrdinals(form.sections)
}

function take(form: Form, piece: Piece): void {
  if (piece.kind === 'refused') throw notShown(piece.why, form.questions.size + 1)
  if (piece.kind === 'group') settle(form)
  else if (piece.kind === 'radio') takeRadio(form, piece.radio)
  else if (piece.kind === 'list') takeList(form, piece.list)
  else if (piece.kind === 'text' && form.unlabelled) {
    form.unlabelled.option.label = piece.text
    form.unlabelled = undefined
  } else form.said.push(piece)
}

/** From here on nothing is the label of a button before. */
function settle({ unlabelled }: Form): void {
  if (unlabelled) throw notShown('no-label', unlabelled.question)
}

function takeRadio(form: Form, { name, value, title, label, picture }: Radio): void {
  settle(form)
  const { questions } = form
  const number = questions.size + (name !== undefined && questions.has(name) ? 0 : 1)
  if (!name || !value) throw notShown('no-value', number)
  const known = questions.get(name)
  if (known) addNote(form, known)
  const question = known ?? begin(form, name, title)
  const option = {
    id: value,
    label: label || (picture === undefined ? '' : PICTURE),
    ...(picture !== undefined && { picture }),
  }
  question.options.push(option)
  if (option.label === '') form.unlabelled = { option, question: number }
}

function takeList(form: Form, { name, title, isMultiple, options }: List): void {
  settle(form)
  const number = form.questions.size + 1
  if (!name || form.questions.has(name)) throw notShown('no-value', number)
  if (isMultiple) throw notShown('several', number)
  const question = begin(form, name, title)
  if (options.some(({ label }) => label === '')) throw notShown('no-label', number)
  if (options.length === 0) throw notShown('no-options', number)
  question.options.push(...options)
}

/** What was said since the last control, told apart; it is said no more. */
function takeSaid(form: Form) {
  const texts = form.said.flatMap((each) => (each.kind === 'picture' ? [] : [each]))
  const pictures = form.said.flatMap((each) => (each.kind === 'picture' ? [each.src] : []))
  form.said = []
  return { texts, pictures }
}

/** The question that begins with a control, from its title and what was said before it. */
function begin(form: Form, name: string, title: string | undefined): Question {
  const { texts, pictures } = takeSaid(form)
  const main = title || texts.at(-1)?.text
  if (!main && pictures.length === 0) throw notShown('no-text', form.questions.size + 1)
  const beside = title ? texts.filter(({ text }) => text !== title) : texts.slice(0, -1)
  const headings = beside.filter(({ kind }) => kind === 'heading').map(({ text }) => text)
  const rest = beside.filter(({ kind }) => kind === 'text').map(({ text }) => text)
  if (headings.length > 0 || form.sections.length === 0)
    form.sections.push({ ...(headings.length > 0 && { title: headings.join(' – ') }), questions: [] })
  const question: Question = {
    id: name,
    text: main || PICTURE,
    ...(rest.length > 0 && { note: rest.join('\n') }),
    ...(pictures.length > 0 && { pictures }),
    options: [],
  }
  form.sections.at(-1)?.questions.push(question)
  form.questions.set(name, question)
  return question
}

/** What is said between the options of a question belongs to it. */
function addNote(form: Form, question: Question): void {
  const { texts, pictures } = takeSaid(form)
  const note = [...(question.note ? [question.note] : []), ...texts.map(({ text }) => text)]
  if (texts.length > 0) question.note = note.join('\n')
  if (pictures.length > 0) question.pictures = [...(question.pictures ?? []), ...pictures]
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
