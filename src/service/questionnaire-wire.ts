import { z } from 'zod'
import type { Questionnaire } from '../domain/questionnaire.ts'
import { ServiceError } from './errors.ts'
import { readHtmlForm } from './html-form.ts'
import { fullList, id, optional } from './wire-values.ts'

const optionSchema = z.object({ id, label: id }) // a label may be a bare number as well
const questionSchema = z.object({ id, text: z.string().min(1), options: z.array(optionSchema).min(1) })
const sectionSchema = z.object({
  id: optional(id),
  title: optional(z.string()),
  questions: fullList(questionSchema),
})
const sectionsData = z.object({ sections: z.array(sectionSchema).min(1) })
const flatData = z.union([
  z.object({ questions: z.array(questionSchema).min(1) }).transform((data) => data.questions),
  z.array(questionSchema).min(1),
])
const htmlData = z.object({ html: z.string().min(1) })

/**
 * Reads the `data` of the questions endpoint in each of its forms: JSON sections, a flat list, an HTML form (spec,
 * "Questions"). Every section it returns has questions and every question options. Throws `questions_unreadable`
 * for anything else.
 */
export function readQuestions(data: unknown): Questionnaire {
  const sections = sectionsData.safeParse(data)
  const flat = flatData.safeParse(data)
  const html = htmlData.safeParse(data)
  if (sections.success) {
    return checked({ form: 'sections', sections: sections.data.sections.map(withoutNulls) })
  }
  if (flat.success) return checked({ form: 'flat', sections: [{ questions: flat.data }] })
  if (html.success) return checked({ form: 'html', sections: [{ questions: readHtmlForm(html.data.html) }] })
  throw unreadable()
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
  const sections = questionnaire.sections.filter(({ questions }) => questions.length > 0)
  const ids = sections.flatMap((section) => section.id ?? [])
  const hasTwins = (values: string[]) => new Set(values).size < values.length
  const isAmbiguous =
    hasTwins(ids) ||
    sections.some(({ questions }) =>
      questions.some(({ options }) => hasTwins(options.map((option) => option.id))),
    )
  if (sections.length === 0 || isAmbiguous) throw unreadable()
  return { ...questionnaire, sections }
}

function withoutNulls({
  id,
  title,
  questions,
}: z.output<typeof sectionSchema>): Questionnaire['sections'][number] {
  return { ...(id === null ? {} : { id }), ...(title === null ? {} : { title }), questions }
}

const unreadable = () => new ServiceError('questions_unreadable', { reached: 'yes' })
