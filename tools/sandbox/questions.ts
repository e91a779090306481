import { type Question, questionsOf, type TestDefinition } from './catalogue/test.ts'
import { Refusal } from './refusal.ts'
import { escapeHtml } from './report/html.ts'
import { persian } from './scoring.ts'

/** The questions as `data` of the answer, in the form of the test. */
export function questionsPayload(test: TestDefinition): unknown {
  switch (test.form) {
    case 'sections':
      return { sections: test.sections }
    case 'questions':
      return { questions: questionsOf(test) }
    case 'list':
      return questionsOf(test)
    case 'html':
      return { html: questionForm(test) }
  }
}

/**
 * Reads submitted answers into option ids in the order of the questions (spec, POST /record/{token}/).
 * @throws Refusal 400 wrong shape, wrong count, or an option that the question does not have
 */
export function readAnswers(test: TestDefinition, record: unknown): string[] {
  if (test.form !== 'sections') return readList(record, questionsOf(test), 'record')
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    throw new Refusal(400, 'record: must be an object of answers by section id.')
  const given = new Map<string, unknown>(Object.entries(record))
  const unknown = [...given.keys()].filter((id) => !test.sections.some((section) => section.id === id))
  if (unknown.length > 0) throw new Refusal(400, `record: unknown section ${unknown.join(', ')}.`)
  return test.sections.flatMap(({ id, questions }) => readList(given.get(id), questions, `record.${id}`))
}

function readList(list: unknown, questions: readonly Question[], place: string): string[] {
  if (!Array.isArray(list)) throw new Refusal(400, `${place}: must be an array of option ids.`)
  if (list.length !== questions.length)
    throw new Refusal(400, `${place}: ${questions.length} answers expected, ${list.length} given.`)
  return questions.map(({ options }, index) => {
    const chosen = options.find(({ id }) => id === list[index])
    if (!chosen) throw new Refusal(400, `${place}: answer ${index + 1} is not an option of its question.`)
    return chosen.id
  })
}

/** The HTML form: a fieldset of radio buttons per question. Labels wrap or follow inputs; both are common. */
function questionForm(test: TestDefinition): string {
  let number = 0
  const sections = test.sections.map(({ title, questions }, index) => {
    const fieldsets = questions.map((question) => {
      number += 1
      return fieldset(question, number, index % 2 === 0)
    })
    return `<h2>${escapeHtml(title)}</h2>\n${fieldsets.join('\n')}`
  })
  const title = escapeHtml(test.title)
  return `<!DOCTYPE html>
<html lang="fa" dir="rtl">
<head><meta charset="utf-8"><title>${title}</title></head>
<body>
<h1>${title}</h1>
<form method="post">
${sections.join('\n')}
</form>
</body>
</html>`
}

function fieldset({ id, text, options }: Question, number: number, wrapped: boolean): string {
  const rows = options.map(({ id: value, label }) => {
    const input = `<input type="radio" name="${id}" id="${value}" value="${value}" required>`
    return wrapped
      ? `  <label>${input} ${escapeHtml(label)}</label>`
      : `  ${input} <label for="${value}">${escapeHtml(label)}</label>`
  })
  return `<fieldset>\n  <legend>${persian(number)}. ${escapeHtml(text)}</legend>\n${rows.join('\n')}\n</fieldset>`
}
