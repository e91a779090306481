import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Question } from '../../src/domain/questionnaire.ts'
import { ServiceError } from '../../src/service/errors.ts'
import { readQuestions } from '../../src/service/questionnaire-wire.ts'

const folder = new URL('forms/', import.meta.url)
const form = (name: string) => readFileSync(new URL(`${name}.html`, folder), 'utf8')

const shown = ({ text, note, pictures, options }: Question) => {
  const labels = options.map(({ label, picture }) => (picture ? `${label}<${picture}>` : label)).join('/')
  return `${text}${note ? ` (${note})` : ''}${pictures ? ` [${pictures.join(' ')}]` : ''}: ${labels}`
}

/** A form on one line: `# section`, `question (note) [picture]: options`, or the reason of a refusal. */
function readForm(html: string): string {
  try {
    return readQuestions({ html })
      .sections.flatMap(({ title, questions }) => [...(title ? [`# ${title}`] : []), ...questions.map(shown)])
      .join(' | ')
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.unshown) throw error
    return ['!', error.unshown.question, error.unshown.why].filter(Boolean).join(' ')
  }
}

const table: [string, string][] = [
  ['fieldset-legend', 'آرام هستید؟: بله/خیر | خوب خوابیدید؟: بله/خیر'],
  ['paragraph-question', 'آرام هستید؟: بله/خیر | خوب خوابیدید؟: بله/خیر'],
  ['div-question', 'آرام هستید؟: بله/خیر | خوب خوابیدید؟: بله/خیر'],
  ['label-question', 'آرام هستید؟: بله/خیر | خوب خوابیدید؟: بله/خیر'],
  ['ordered-list', 'آرام هستید؟: بله/خیر | خوب خوابیدید؟: بله/خیر'],
  ['definition-list', 'آرام هستید؟: بله/خیر | خوب خوابیدید؟: بله/خیر'],
  ['bold-line', 'آرام هستید؟: بله/خیر | خوب خوابیدید؟: بله/خیر'],
  ['select-labelled', 'آرام هستید؟: بله/خیر'],
  ['select-after-text', 'آرام هستید؟: بله/خیر'],
  ['select-optgroup', 'چند بار؟: روز: کم/شب: کم'],
  ['likert-table', 'آرامم: هرگز/گاهی/همیشه | شادم: هرگز/گاهی/همیشه'],
  ['likert-row-head', 'آرامم (در هفتهٔ گذشته): هرگز/گاهی/همیشه | شادم: هرگز/گاهی/همیشه'],
  ['likert-no-thead', 'آرامم: کم/زیاد'],
  ['likert-numbered', 'آرامم: کم/زیاد'],
  ['layout-table', 'آرام هستید؟: بله/خیر | خوب خوابیدید؟: بله/خیر'],
  ['layout-rows', 'آرام هستید؟: بله/خیر'],
  ['nested-fieldsets', '# بخش یک | آرام هستید؟: بله/خیر | شادید؟: بله/خیر'],
  ['sections-headings', '# صبح | آرام بودید؟ (به دیروز فکر کنید.): بله/خیر | # شب | خوابیدید؟: بله/خیر'],
  ['bootstrap', 'آرام هستید؟: بله/خیر'],
  ['label-before-input', 'آرام هستید؟: بله/خیر'],
  ['aria-radiogroup', 'آرام هستید؟: بله/خیر'],
  ['aria-labelledby', 'آرام هستید؟: بله/خیر'],
  ['django-radioselect', 'آرام هستید؟: بله/خیر'],
  ['picture-question', 'کدام ادامه می‌یابد؟ [https://example.org/a.png]: الف/ب'],
  ['picture-options', 'کدام؟: 🖼<https://example.org/1.png>/دو<https://example.org/2.png>'],
  ['ordinals', 'آرام هستید؟: بله/خیر | شادید؟: بله/خیر'],
  ['legend-and-text', 'موقعیت (در جمع چه می‌کنید؟): بله/خیر'],
  ['inline-style-spans', 'آرام هستید؟: بله/خیر'],
  ['uppercase-old', 'آرام هستید؟: بله/خیر'],
  ['hidden-parts', 'آرام هستید؟: بله/خیر'],
  ['refused-checkboxes', '! 2 several'],
  ['refused-select-multiple', '! 1 several'],
  ['refused-text', '! 2 free-text'],
  ['refused-number', '! 1 free-text'],
  ['refused-unlabelled', '! 1 no-label'],
  ['refused-without-question', '! 1 no-text'],
  ['refused-same-label', '! 1 same-label'],
  ['refused-video', '! 1 media'],
  ['disabled-options', 'آرام هستید؟: بله/خیر | خوب خوابیدید؟: بله/خیر | شادید؟: بله/خیر | چند بار؟: روز: کم'],
  ['refused-disabled', '! 2 no-options'],
  ['refused-nothing', '! no-questions'],
  ['refused-hidden-step', '! unreadable'],
  ['refused-two-forms', '! unreadable'],
  ['hidden-extras', 'آرام هستید؟: بله/خیر'],
  ['two-forms', 'آرام هستید؟: بله/خیر | شادید؟: بله/خیر'],
]

test.each(table)('%s', (name, expected) => {
  expect(readForm(form(name))).toBe(expected)
})

test('every form in the folder is in the table', () => {
  expect(table.map(([name]) => `${name}.html`).toSorted()).toEqual(readdirSync(folder).toSorted())
})

test.each([
  ['<div>'.repeat(5_000), '! too-large'],
  ['<fieldset>'.repeat(5_000), '! too-large'],
  ['<b>'.repeat(5_000), '! too-large'],
  ['<p>سلام '.repeat(120_000), '! too-large'],
  [`<p>${'س'.repeat(4_000_001)}`, '! too-large'],
  ['<a'.repeat(100_000), '! no-questions'],
])('hostile HTML is refused (%#)', (html, expected) => {
  expect(readForm(html)).toBe(expected)
})
