import { describe, expect, test } from 'vitest'
import { answersBody, readQuestions } from '../../src/service/questionnaire-wire.ts'

const question = (id: string) => ({
  id,
  text: `متن ${id}`,
  options: [
    { id: `${id}-0`, label: 'هرگز' },
    { id: `${id}-1`, label: 'همیشه' },
  ],
})
const [q1, q2, q3] = [question('q1'), question('q2'), question('q3')]
const sections = {
  sections: [
    { id: 's1', title: 'یک', questions: [q1, q2] },
    { id: 's2', title: 'دو', questions: [q3] },
  ],
}
const radios = (name: string, ...labels: string[]) =>
  labels
    .map((label, i) => `<label><input type="radio" name="${name}" value="${name}-${i}"> ${label} </label>`)
    .join('')

describe('the JSON forms', () => {
  test('sections keep their ids, titles and order', () => {
    expect(readQuestions(sections)).toEqual({ form: 'sections', ...sections })
  })

  test.each([
    ['under questions', { questions: [q1, q2] }],
    ['as data itself', [q1, q2]],
  ])('a flat list %s is one section without id', (_where, data) => {
    expect(readQuestions(data)).toEqual({ form: 'flat', sections: [{ questions: [q1, q2] }] })
  })

  test('a list that repeats the questions of the sections adds nothing', () => {
    expect(readQuestions({ ...sections, questions: [q1, q2, q3] })).toEqual({ form: 'sections', ...sections })
    expect(readQuestions({ ...sections, questions: [] })).toEqual({ form: 'sections', ...sections })
  })

  test('ids may be numbers; unknown fields and empty sections are ignored', () => {
    const numbered = { id: 1, text: 'متن', order: 5, options: [{ id: 2, label: 3, score: 9 }] }
    const data = {
      sections: [
        { id: 8, title: null, questions: [numbered] },
        { id: 9, questions: [] },
      ],
      html: null,
    }
    expect(readQuestions(data)).toEqual({
      form: 'sections',
      sections: [{ id: '8', questions: [{ id: '1', text: 'متن', options: [{ id: '2', label: '3' }] }] }],
    })
  })

  test.each<[string, unknown]>([
    ['nothing', null],
    ['no question', { sections: [{ id: 's', questions: [] }] }],
    ['a question without options', { questions: [{ ...q1, options: [] }] }],
    ['a question without text', { questions: [{ ...q1, text: '' }] }],
    ['two options of one id', { questions: [{ ...q1, options: [q1.options[0], q1.options[0]] }] }],
    ['two sections of one id', { sections: [sections.sections[0], { ...sections.sections[1], id: 's1' }] }],
    ['a section whose id JavaScript does not hold', { sections: [{ ...sections.sections[0], id: 2 ** 60 }] }],
    ['a question beside the sections', { ...sections, questions: [question('q4')] }],
    ['an unknown kind', { cards: [] }],
  ])('%s cannot be shown', (_what, data) => {
    expect(() => readQuestions(data)).toThrow(
      expect.objectContaining({ code: 'questions_unreadable', reached: 'yes' }),
    )
  })
})

describe('the HTML form', () => {
  const numbered = (...texts: string[]) =>
    texts
      .map((text, index) => `<fieldset><legend>${text}</legend>${radios(`q${index}`, 'a')}</fieldset>`)
      .join('')
  const textsOf = (html: string) =>
    readQuestions({ html }).sections.flatMap(({ questions }) => questions.map(({ text }) => text))

  test('loses the numbers that a page gives its questions, and no others', () => {
    expect(textsOf(numbered('1. آرامید؟', '۲) خوابیدید؟', '3 - چند بار؟'))).toEqual([
      'آرامید؟',
      'خوابیدید؟',
      'چند بار؟',
    ])
    for (const texts of [
      ['1. آرامید؟', 'خوابیدید؟'],
      ['2. آرامید؟', '3. خوابیدید؟'],
      ['1 بار؟', '2 بار؟'],
    ])
      expect(textsOf(numbered(...texts))).toEqual(texts)
  })

  test('is read by legends and labels, in document order', () => {
    const html = `<!doctype html><form method="post"><h1>آزمون</h1><input type="hidden" name="csrf" value="x">
      <fieldset><legend>آیا <b>آرام</b>&zwnj;اید؟</legend>${radios('q1', 'بله', 'خیر')}</fieldset>
      <fieldset><legend>بخش</legend>
        <h3>چند بار؟</h3>
        <input type="RADIO" id="a" name="q2" value="v1"><label for="a">یک &amp; دو</label>
        <input type="radio" id="b" name="q2" value="v2" aria-label="سه">
        <h3>و پس از آن؟</h3>${radios('q3', 'کم', 'زیاد')}
      </fieldset>
      <button>ارسال</button><input type="submit"></form><script>var input = '<input type=text>'</script>`
    expect(readQuestions({ html })).toEqual({
      form: 'html',
      sections: [
        {
          title: 'آزمون',
          questions: [
            {
              id: 'q1',
              text: 'آیا آرام\u200cاید؟',
              options: [
                { id: 'q1-0', label: 'بله' },
                { id: 'q1-1', label: 'خیر' },
              ],
            },
          ],
        },
        {
          title: 'بخش',
          questions: [
            {
              id: 'q2',
              text: 'چند بار؟',
              options: [
                { id: 'v1', label: 'یک & دو' },
                { id: 'v2', label: 'سه' },
              ],
            },
            {
              id: 'q3',
              text: 'و پس از آن؟',
              options: [
                { id: 'q3-0', label: 'کم' },
                { id: 'q3-1', label: 'زیاد' },
              ],
            },
          ],
        },
      ],
    })
  })

  const heading = '<h2>متن</h2>'
  test.each([
    ['a text field', `${heading}${radios('q', 'a', 'b')}<input name="why">`],
    ['a text area', `${heading}${radios('q', 'a', 'b')}<textarea></textarea>`],
    ['a list without a name', `${heading}${radios('q', 'a', 'b')}<p>و</p><select><option>1</select>`],
    ['a check box', `${heading}<label><input type="checkbox" name="q" value="1">a</label>`],
    ['no group at all', '<p>سلام</p>'],
    ['a group without a question', radios('q', 'a', 'b')],
    ['two groups under one heading', `${heading}${radios('q', 'a', 'b')}${radios('r', 'a', 'b')}`],
    [
      'two groups under one legend',
      `<fieldset><legend>متن</legend>${radios('q', 'a')}${radios('r', 'a')}</fieldset>`,
    ],
    ['a button without a label', `${heading}<input type="radio" name="q" value="1">`],
    ['a button without a value', `${heading}<label><input type="radio" name="q">بله</label>`],
    ['a button without a name', `${heading}<label><input type="radio" value="1">بله</label>`],
    [
      'one label around two buttons',
      `${heading}<label>x<input type="radio" name="q" value="1"><input type="radio" name="q" value="2"></label>`,
    ],
    [
      'one value twice',
      `${heading}${radios('q', 'a')}<label><input type="radio" name="q" value="q-0">b</label>`,
    ],
  ])('with %s is refused', (_what, html) => {
    expect(() => readQuestions({ html })).toThrow(expect.objectContaining({ code: 'questions_unreadable' }))
  })
})

describe('the answers', () => {
  const flat = { record: ['q1-1', 'q2-0', 'q3-1'] }

  test('to sections are an object by section id, with the array as the alternative', () => {
    const object = { s1: ['q1-1', 'q2-0'], s2: ['q3-1'] }
    expect(answersBody(readQuestions(sections), [1, 0, 1])).toEqual({
      record: object,
      alternative: flat.record,
    })
  })

  test('to a single section with an id are an object too', () => {
    const one = readQuestions({ sections: [{ id: 'only', questions: [q1] }] })
    expect(answersBody(one, [0])).toEqual({ record: { only: ['q1-0'] }, alternative: ['q1-0'] })
  })

  test.each([
    ['a flat list', { questions: [q1, q2, q3] }],
    ['a section without id', { sections: [{ title: 'x', questions: [q1, q2, q3] }] }],
  ])('to %s are an array', (_what, data) => {
    expect(answersBody(readQuestions(data), [1, 0, 1])).toEqual(flat)
  })

  test('to an HTML form are an array of values', () => {
    const html = `<h2>یک</h2>${radios('a', 'x', 'y')}<h2>دو</h2>${radios('b', 'x', 'y')}`
    expect(answersBody(readQuestions({ html }), [1, 0])).toEqual({ record: ['a-1', 'b-0'] })
  })

  test('a section id may be any word', () => {
    const odd = readQuestions({ sections: [{ id: '__proto__', questions: [q1] }] })
    expect(JSON.stringify(answersBody(odd, [0]).record)).toBe('{"__proto__":["q1-0"]}')
  })

  test.each([[[0, 0]], [[0, 0, 0, 0]], [[0, 0, 2]], [[0, 0, -1]]])(
    '%j does not fit three questions',
    (chosen) => {
      expect(() => answersBody(readQuestions(sections), chosen)).toThrow(RangeError)
    },
  )
})
