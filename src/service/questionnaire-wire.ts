import { z } from 'zod'
import type { Questionnaire } from '../domain/questionnaire.ts'
import { notShown } from './errors.ts'
import { readHtmlForm } from './html-form.ts'
import { readJsonQuestions, saying } from './json-questions.ts'

const htmlData = z.object({ html: z.string().min(1) })

/**
 * Reads the `data` of the questions endpoint in each of its forms: JSON sections, a flat list, an HTML form (spec,
 * "Questions"). Every section it returns has questions and every question options. Throws `questions_unreadable`, with
 * the question and the reason, for anything that cannot be shown as it is meant.
 */
export function readQuestions(data: unknown): Questionnaire {
  const json = readJsonQuestions(data)
  if (json) return checked(json)
  const html = htmlData.safeParse(data)
  if (html.success) return checked({ form: 'html', sections: readHtmlForm(html.data.html) })
  throw notShown('unreadable')
}

/** What `POST /record/{token}/` wants under `record`. */
type RecordAnswers = string[] | Record<string, string[]>

/**
 * The chosen options (one index per question, through the whole test) in the shape of this questionnaire: an
 * object by section id, or an array for a flat list, an HTML form and a section without id. `alternative` is the
 * other shape, to be tried once after a 400.
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

/** A section without questions is none; what it says belongs to the one after it. */
function withoutEmpty(all: Questionnaire['sections']): Questionnaire['sections'] {
  const sections: Questionnaire['sections'] = []
  let said: string[] = []
  let seen: string[] = []
  for (const section of all) {
    const { title, description, pictures = [], questions } = section
    if (questions.length === 0) {
      said.push(...[title, description].filter((text) => text !== undefined))
      seen.push(...pictures)
      continue
    }
    sections.push(saying(said, seen, section))
    said = []
    seen = []
  }
  return sections
}
