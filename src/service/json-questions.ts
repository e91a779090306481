import type { Fields } from '../domain/fields.ts'
import type { Question, Questionnaire } from '../domain/questionnaire.ts'
import { notShown } from './errors.ts'
import { readMarkup } from './html-tree.ts'
import { id, isObject } from './wire-values.ts'

/** Questions as JSON, with whatever services are likely to put beside the text of a question (spec, Questions). */

const words = (list: string): string[] => list.split(' ')

const NOTES = words(
  'instruction instructions description hint help help_text note subtitle intro introduction guide caption',
)
const PICTURES = words('image image_url picture photo img images pictures photos')
/** Fields whose value names the kind of a question. */
const TYPES = words('type kind question_type input_type answer_type widget')
/**
 * What says in so many words that one option is not the answer that is wanted. All else that the specification does not
 * name changes nothing: a number (`choices_count`) may count the options themselves, "multiple choice" is what a question
 * with one answer is called, too, and a word of the service's own (`agreement`) is nobody's to interpret.
 */
const SEVERAL = words('multiple is_multiple allow_multiple multiple_answers multi_select multiselect')
const SEVERAL_TYPES = words('checkbox checkboxes multiselect multipleselect multipleanswers multiple ranking')
const FREE_TEXT_TYPES = words('text textarea freetext shorttext longtext opentext openended essay')

/** The words of the first of these fields that has any; a list of them is one line each. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'number') return [String(value)]
  if (typeof value === 'string') return value.trim() ? [value] : []
  return Array.isArray(value) ? value.flatMap(wordsOf) : []
}

const addressesOf = (value: unknown): string[] => {
  if (typeof value === 'string') return value.trim() ? [value.trim()] : []
  if (Array.isArray(value)) return value.flatMap(addressesOf)
  return isObject(value) ? addressesOf(value.url ?? value.src ?? value.href ?? value.data) : []
}

/** The main words of something, by the first of these names that has any; what is said beside them; its pictures. */
function readAbout(fields: Fields, names: readonly string[], at?: number) {
  const main = readMarkup(names.flatMap((name) => wordsOf(fields[name]))[0] ?? '')
  if (main.hasMedia) throw notShown('media', at)
  const notes = NOTES.flatMap((name) => wordsOf(fields[name])).map((text) => readMarkup(text))
  const addresses = PICTURES.flatMap((name) => addressesOf(fields[name]))
  return {
    text: main.text,
    note: notes.map(({ text }) => text).filter(Boolean),
    pictures: [...main.pictures, ...addresses, ...notes.flatMap(({ pictures }) => pictures)],
  }
}

/** Refuses a question that says that it wants another answer than one of its options. */
function checkType(fields: Fields, hasOptions: boolean, at: number): void {
  const types = TYPES.flatMap((name) => {
    const given = fields[name]
    return typeof given === 'string' ? [given.toLowerCase().replace(/[\s_-]+/g, '')] : []
  })
  const isSeveral = SEVERAL.some((name) => fields[name] === true || fields[name] === 'true')
  if (isSeveral || types.some((type) => SEVERAL_TYPES.includes(type))) throw notShown('several', at)
  if (types.some((type) => FREE_TEXT_TYPES.includes(type))) throw notShown('free-text', at)
  if (!hasOptions) throw notShown('no-options', at)
}

function readOption(value: unknown, at: number): Question['options'][number] {
  if (!isObject(value)) throw notShown('no-label', at)
  const key = id.safeParse(value.id)
  if (!key.success) throw notShown('no-value', at)
  const { text, note, pictures } = readAbout(value, ['label', 'text', 'title'], at)
  const [picture, ...more] = pictures
  if (more.length > 0) throw notShown('picture', at)
  const label = [text, ...note].filter(Boolean).join(' – ')
  if (!label && picture === undefined) throw notShown('no-label', at)
  return { id: key.data, label: label || '🖼', ...(picture !== undefined && { picture }) }
}

function readQuestion(value: unknown, at: number): Question {
  if (!isObject(value)) throw notShown('unreadable', at)
  const key = id.safeParse(value.id)
  if (!key.success) throw notShown('no-value', at)
  const options = Array.isArray(value.options) ? value.options : []
  checkType(value, options.length > 0, at)
  const { text, note, pictures } = readAbout(value, ['text', 'title', 'question'], at)
  if (!text && pictures.length === 0) throw notShown('no-text', at)
  // A title beside the text is a heading of its own.
  const headings = text && wordsOf(value.text).length > 0 ? wordsOf(value.title) : []
  const notes = [...headings.map((heading) => readMarkup(heading).text), ...note]
  const said = notes.filter((note) => note && note !== text)
  return {
    id: key.data,
    text: text || '🖼',
    ...(said.length > 0 && { note: said.join('\n') }),
    ...(pictures.length > 0 && { pictures }),
    options: options.map((option) => readOption(option, at)),
  }
}

/** Reads sections, or a flat list; `undefined` where the data has neither form. */
export function readJsonQuestions(data: unknown): Questionnaire | undefined {
  const fields: Fields = isObject(data) ? data : {}
  const { sections } = fields
  const flat = Array.isArray(data) ? data : fields.questions
  let number = 0
  const readAll = (list: readonly unknown[]) =>
    list.map((value) => {
      number += 1
      return readQuestion(value, number)
    })
  if (Array.isArray(sections) && sections.length > 0) {
    const read = sections.map((section) => readSection(section, readAll))
    return { form: 'sections', sections: withHead(read, fields) }
  }
  if (!Array.isArray(flat) || flat.length === 0) return undefined
  return { form: 'flat', sections: withHead([{ questions: readAll(flat) }], fields) }
}

type Section = Questionnaire['sections'][number]

function readSection(value: unknown, readAll: (list: readonly unknown[]) => Question[]): Section {
  if (!isObject(value)) throw notShown('unreadable')
  const key = id.safeParse(value.id)
  const { text, note, pictures } = readAbout(value, ['title', 'name'])
  const questions = value.questions ?? []
  if (!Array.isArray(questions)) throw notShown('unreadable')
  const said = wordsOf(value.text).map((words) => readMarkup(words).text)
  const section = { ...(key.success && { id: key.data }), ...(text && { title: text }) }
  return saying([...said, ...note], pictures, { ...section, questions: readAll(questions) })
}

/** What is said of the whole goes before its first section. */
function withHead([first, ...others]: Section[], fields: Fields): Section[] {
  const { note, pictures } = readAbout(fields, [])
  return first ? [saying(note, pictures, first), ...others] : others
}

/** A section with this before all that it says itself. */
export function saying(texts: readonly string[], seen: readonly string[], section: Section): Section {
  const description = [...texts, section.description].filter(Boolean).join('\n')
  const pictures = [...seen, ...(section.pictures ?? [])]
  return { ...section, ...(description && { description }), ...(pictures.length > 0 && { pictures }) }
}
