import type { Fields } from '../domain/fields.ts'
import { readMarkup } from '../domain/html-tree.ts'
import type { Option, Question, Questionnaire, Section } from '../domain/questionnaire.ts'
import { notShown } from './errors.ts'
import { readHtmlForm } from './html-form.ts'
import { exactId, htmlReportSchema, isObject } from './wire.ts'

/**
 * Reads the `data` of the questions endpoint in each of its forms: JSON sections, a flat list, an HTML form
 * (spec, "Questions"). Every section has questions, and every question has options. Throws
 * `questions_unreadable`, with the question and the reason, for anything that cannot be shown faithfully.
 */
export function readQuestions(data: unknown): Questionnaire {
  try {
    const json = readJsonQuestions(data)
    if (json) return checked(json)
    const html = htmlReportSchema.safeParse(data)
    if (html.success) return checked({ form: 'html', sections: readHtmlForm(html.data.html) })
  } catch (err) {
    throw err instanceof RangeError ? notShown('too-large') : err
  }
  throw notShown('unreadable')
}

/** The value of `record` in `POST /record/{token}/`. */
type RecordAnswers = string[] | Record<string, string[]>

/**
 * The chosen options (one index per question, through the whole test) in the shape of this questionnaire: an
 * object by section id, or an array for a flat list, an HTML form and a section without an id. `alternative`
 * is the other shape, to be tried once after a 400.
 */
export function answersBody(
  { form, sections }: Questionnaire,
  chosen: readonly number[],
): { record: RecordAnswers; alternative?: RecordAnswers } {
  let position = 0
  const bySection = sections.map(({ id, questions }) => {
    const answers = questions.map(({ options }) => {
      const option = options[chosen[position++] ?? -1]
      if (!option) throw new RangeError(`no option chosen for question ${position}`)
      return option.id
    })
    return { id, answers }
  })
  if (position !== chosen.length) throw new RangeError(`${chosen.length} answers to ${position} questions`)
  const array = bySection.flatMap(({ answers }) => answers)
  const named = bySection.flatMap(({ id, answers }) => (id === undefined ? [] : [{ id, answers }]))
  if (form !== 'sections' || named.length < sections.length) return { record: array }
  const object = Object.fromEntries(named.map(({ id, answers }) => [id, answers]))
  return { record: object, alternative: array }
}

function checked(questionnaire: Questionnaire): Questionnaire {
  const sections = withoutEmpty(questionnaire.sections)
  if (sections.length === 0) throw notShown('no-questions')
  const ids = sections.flatMap((section) => section.id ?? [])
  const hasTwins = (values: string[]) => new Set(values).size < values.length
  if (hasTwins(ids)) throw notShown('unreadable')
  const twin = sections
    .flatMap(({ questions }) => questions)
    .findIndex(({ options }) => hasTwins(options.map((option) => option.id)))
  if (twin >= 0) throw notShown('same-value', twin + 1)
  return { ...questionnaire, sections }
}

/** Drops sections without questions; their texts and pictures go to the next section. */
function withoutEmpty(all: readonly Section[]): Section[] {
  const sections: Section[] = []
  let said: string[] = []
  let seen: string[] = []
  for (const section of all) {
    const { title, description, pictures = [], questions } = section
    if (questions.length === 0) {
      said.push(...[title, description].filter((text) => text !== undefined))
      seen.push(...pictures)
      continue
    }
    sections.push(withTexts(said, seen, section))
    said = []
    seen = []
  }
  return sections
}

/** Questions as JSON, with the fields that services are likely to add to a question (spec, Questions). */

const words = (list: string): string[] => list.split(' ')

const NOTES = words(
  'instruction instructions description hint help help_text note subtitle intro introduction guide caption',
)
const PICTURES = words('image image_url picture photo img images pictures photos')
/** Fields that name the type of a question. */
const TYPES = words('type kind question_type input_type answer_type widget')
/**
 * Fields and values that explicitly ask for another answer than one option. All other fields outside of the
 * specification are ignored: a number (`choices_count`) may count the options, "multiple choice" is also a
 * question with one answer, and the service's own words (`agreement`) are not interpreted.
 */
const SEVERAL = words('multiple is_multiple allow_multiple multiple_answers multi_select multiselect')
const SEVERAL_TYPES = words('checkbox checkboxes multiselect multipleselect multipleanswers multiple ranking')
const FREE_TEXT_TYPES = words('text textarea freetext shorttext longtext opentext openended essay')

/** The texts in a value; a list gives one text per item. */
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

/** Reads the main text (of the first of these fields that has any), the notes beside it, and the pictures. */
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

/** Refuses a question that asks for another answer than one of its options. */
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

function readOption(value: unknown, at: number): Option {
  if (!isObject(value)) throw notShown('no-label', at)
  const key = exactId.safeParse(value.id)
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
  const key = exactId.safeParse(value.id)
  if (!key.success) throw notShown('no-value', at)
  const options = Array.isArray(value.options) ? value.options : []
  checkType(value, options.length > 0, at)
  const { text, note, pictures } = readAbout(value, ['text', 'title', 'question'], at)
  if (!text && pictures.length === 0) throw notShown('no-text', at)
  // A title next to the text is a separate heading.
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

/** Reads sections, or a flat list; `undefined` if the data has neither. */
function readJsonQuestions(data: unknown): Questionnaire | undefined {
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
    // spec, Endpoints: a list or sections. With both, it is unknown how to answer questions of the list only.
    const inSections = new Set(read.flatMap(({ questions }) => questions.map((question) => question.id)))
    const isRepeated = (value: unknown) => isObject(value) && inSections.has(String(value.id))
    if (Array.isArray(flat) && !flat.every(isRepeated)) throw notShown('unreadable')
    return { form: 'sections', sections: withHead(read, fields) }
  }
  if (!Array.isArray(flat) || flat.length === 0) return undefined
  return { form: 'flat', sections: withHead([{ questions: readAll(flat) }], fields) }
}

function readSection(value: unknown, readAll: (list: readonly unknown[]) => Question[]): Section {
  if (!isObject(value)) throw notShown('unreadable')
  const key = exactId.safeParse(value.id)
  if (!key.success && typeof value.id === 'number') throw notShown('unreadable')
  const { text, note, pictures } = readAbout(value, ['title', 'name'])
  const questions = value.questions ?? []
  if (!Array.isArray(questions)) throw notShown('unreadable')
  const said = wordsOf(value.text).map((words) => readMarkup(words).text)
  const section = { ...(key.success && { id: key.data }), ...(text && { title: text }) }
  return withTexts([...said, ...note], pictures, { ...section, questions: readAll(questions) })
}

/** Texts about the whole test go before its first section. */
function withHead([first, ...others]: Section[], fields: Fields): Section[] {
  const { note, pictures } = readAbout(fields, [])
  return first ? [withTexts(note, pictures, first), ...others] : others
}

/** Puts these texts and pictures before those of a section. */
function withTexts(texts: readonly string[], seen: readonly string[], section: Section): Section {
  const description = [...texts, section.description].filter(Boolean).join('\n')
  const pictures = [...seen, ...(section.pictures ?? [])]
  return { ...section, ...(description && { description }), ...(pictures.length > 0 && { pictures }) }
}
