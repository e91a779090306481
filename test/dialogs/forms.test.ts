import { expect } from 'vitest'
import { withChanged } from './changed-service.ts'
import { knownPerson, sectionedTest, shortTest } from './short-tests.ts'
import { type Meeting, type Participant, story, withAnother, word } from './walk.ts'

const accepted = ({ submissions }: Participant) => submissions.filter((each) => each.accepted)

/** Answers every question with these options and sends them. */
async function finishes(participant: Participant, ...options: number[]) {
  await participant.walksTo('question')
  await participant.answers(...options)
  expect(participant.place).toBe('review')
  await participant.taps(/^submit:/)
}

for (const form of ['questions', 'list', 'html'] as const) {
  story(`answers to a test in the form "${form}" go out as a list`, async ({ meet }) => {
    const sara = await meet(knownPerson(shortTest({ form })))
    await finishes(sara, 2, 0, 1)
    expect(sara.submissions).toEqual([{ record: ['q1o3', 'q2o1', 'q3o2'], minutes: 1, accepted: true }])
    expect(sara.files).toHaveLength(2)
  })
}

story('answers to a test with sections are sent by section', async ({ meet }) => {
  const sara = await meet(knownPerson(sectionedTest()))
  await finishes(sara, 2, 0, 1)
  expect(sara.submissions.map(({ record }) => record)).toEqual([{ s1: ['q1o3'], s2: ['q2o1', 'q3o2'] }])
})

story('answers to a single section with an id are sent as an object', async ({ meet }) => {
  const sections = [{ title: 'همه', items: [['calm', 'یک'] as const, ['calm', 'دو'] as const] }]
  const sara = await meet(knownPerson(sectionedTest({ sections })))
  await finishes(sara, 1, 1)
  expect(sara.submissions.map(({ record }) => record)).toEqual([{ s1: ['q1o2', 'q2o2'] }])
})

story('option ids that repeat in every question do no harm', async ({ meet }) => {
  const sara = await meet(knownPerson(sectionedTest({ sharedOptionIds: true })))
  await finishes(sara, 0, 2, 1)
  expect(sara.submissions.map(({ record }) => record)).toEqual([{ s1: ['o1'], s2: ['o3', 'o2'] }])
})

story('sections are announced where they begin', async ({ meet }) => {
  const sara = await meet({ at: 'introduction', ...knownPerson(sectionedTest()) })
  await sara.walksTo('question')
  expect(sara.screen).toContain('صبح')
  await sara.answers(0)
  expect(sara.screen).toContain('شب')
  await sara.answers(0)
  expect(sara.screen).not.toContain('شب')
})

story('a test in the catalogue’s HTML form reads like any other test', async ({ meet }) => {
  const sara = await meet({ at: 'introduction', record: { testId: 'week-12', authRequired: false } })
  await sara.walksTo('question')
  expect(sara.question.text).toContain('وقتی اشتباه کردم با خودم مهربان ماندم.')
  expect(sara.screen).not.toContain('<')
  expect(sara.question.options.map((label) => label.replace(/^[۰-۹]+\. /, ''))).toEqual([
    'اصلاً',
    'کمی',
    'تا اندازه‌ای',
    'زیاد',
    'خیلی زیاد',
  ])
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  expect(accepted(sara).map(({ record }) => record)).toEqual([
    // The walk answers question n with option n mod 5.
    Array.from({ length: 12 }, (_, index) => `q${index + 1}o${((index + 1) % 5) + 1}`),
  ])
})

/** A service that delivers the questions in another form than the sandbox does. */
const withForm = (meet: (meeting: Meeting) => Promise<Participant>, change: (data: never) => unknown) =>
  withChanged(meet, (path, data) => (path.endsWith('/questions/') ? change(data) : data))

type Flat = { questions: object[] }

story('answers to a section without an id are sent as a list', async ({ meet }) => {
  const sara = await withForm(meet, ({ questions }: Flat) => ({ sections: [{ title: 'همه', questions }] }))
  await finishes(sara, 0, 1, 2)
  expect(sara.submissions.map(({ record }) => record)).toEqual([['q1o1', 'q2o2', 'q3o3']])
})

story('answers refused as malformed are sent once in the other form', async ({ meet }) => {
  const sara = await withForm(meet, ({ questions }: Flat) => ({ sections: [{ id: 's1', questions }] }))
  await finishes(sara, 0, 1, 2)
  expect(sara.submissions).toEqual([
    { record: { s1: ['q1o1', 'q2o2', 'q3o3'] }, minutes: 1, accepted: false },
    { record: ['q1o1', 'q2o2', 'q3o3'], minutes: 1, accepted: true },
  ])
  expect(sara.files).toHaveLength(2)
})

story('a list that is refused as malformed is not sent in another form', async ({ meet }) => {
  const sara = await meet({ at: 'review', ...knownPerson() })
  sara.world.sandbox.fault({ kind: 'status', status: 400, method: 'POST' })
  await sara.taps(/^submit:/)
  expect(sara.place).toBe('refused')
  expect(sara.calls.filter((call) => call === 'submit')).toHaveLength(1)
  await sara.taps(/^retry:/)
  expect(accepted(sara)).toHaveLength(1)
})

story('answers that are refused in both forms are kept, and the organizer is told', async ({ meet }) => {
  const sara = await withForm(meet, ({ questions }: Flat) => ({
    sections: [{ id: 's1', questions: questions.slice(1) }],
  }))
  const organizer = sara.world.emulator.person({ id: 900 })
  organizer.start()
  await finishes(sara, 0, 1)
  expect(sara.place).toBe('refused')
  expect(sara.submissions).toHaveLength(2)
  expect(organizer.last.text).toContain(word('notice-submit', { title: 'آزمون کوتاه' }))
  await sara.opens('')
  expect(sara.place).toBe('refused')
})

const options = [
  { id: 'a', label: 'یک' },
  { id: 'b', label: 'دو' },
]
const asked = (changes: object) => ({ questions: [{ id: 'q1', text: 'یک', options, ...changes }] })

for (const [what, [data, reason]] of Object.entries({
  'a form with a free text': [{ html: '<form><h2>نام</h2><input type="text" name="a"></form>' }, 'free-text'],
  'an empty form': [{ html: '<p>به‌زودی</p>' }, 'no-questions'],
  'no questions at all': [{ sections: [] }, 'unreadable'],
  'something unknown': [{ pages: [1, 2] }, 'unreadable'],
  'a question with several answers': [asked({ multiple: true }), 'several'],
  'a question with a written answer': [asked({ type: 'free_text' }), 'free-text'],
  'a picture that cannot be had': [asked({ image: 'http://127.0.0.1/a.png' }), 'picture'],
  'a picture that is none': [
    asked({ image: 'data:image/png;base64,PGh0bWw+PGh0bWw+PGh0bWw+PGh0bWw+' }),
    'picture',
  ],
} satisfies Record<string, [unknown, string]>)) {
  const why = word(`unshown-why.${reason}` as 'unshown-why.several')
  story(`${what} is refused with a clear message`, async ({ meet }) => {
    const sara = await withForm(meet, () => data)
    const organizer = sara.world.emulator.person({ id: 900 })
    organizer.start()
    await sara.walksTo('introduction')
    await sara.taps(/^begin:/)
    expect(sara.heard).toBe(word('failure-unshown'))
    expect(organizer.last.text).toContain(why)
    await sara.opens('')
    expect(sara.heard).toContain(word('failure-unshown'))
    expect(sara.submissions).toEqual([])
  })
}

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

story(
  'a question that is sent again comes with its picture; one repeated after a wrong answer does not',
  async ({ meet }) => {
    const sara = await withForm(meet, ({ questions: [first, ...others] }: Flat) => ({
      questions: [{ ...first, image: PIXEL }, ...others],
    }))
    await sara.walksTo('question')
    const [picture] = sara.files
    await sara.says('نمی‌دانم')
    expect(sara.files).toEqual([picture])
    // As after the chat was cleared.
    await sara.opens('')
    expect(sara.place).toBe('question')
    expect(sara.files).toHaveLength(1)
    expect(sara.files).not.toEqual([picture])
  },
)

story('the pictures, instructions and headings of questions are each shown once', async ({ meet }) => {
  const sara = await withForm(meet, ({ questions: [first, second, third] }: Flat) => ({
    sections: [
      {
        id: 's1',
        title: 'صبح',
        description: '<p>به <b>دیروز</b> فکر کنید.</p>',
        image: PIXEL,
        questions: [
          { ...first, image: PIXEL, hint: 'دقیق ببینید.' },
          { ...second, text: 'خط <i>دوم</i><br>ادامه' },
          third,
        ],
      },
    ],
  }))
  await sara.walksTo('question')
  // One picture of the section, one of the question.
  expect(sara.files).toHaveLength(2)
  for (const said of ['صبح', 'به دیروز فکر کنید.', 'دقیق ببینید.']) expect(sara.screen).toContain(said)
  await sara.says('نمی‌دانم')
  expect(sara.files).toHaveLength(2)
  expect(sara.place).toBe('question')
  await sara.answers(1)
  expect(sara.files).toHaveLength(1)
  // Back at the first question its own picture comes again; the one of the section is still there.
  await sara.taps(/^go:[^:]+:0$/)
  expect(sara.files).toHaveLength(2)
  await sara.answers(1)
  expect(sara.files).toHaveLength(1)
  expect(sara.screen).toContain('خط دوم\nادامه')
  await sara.answers(0, 0)
  expect(sara.place).toBe('review')
})

story(
  'an answer typed to a picture question counts for it, although details are asked for',
  async ({ meet }) => {
    const first = await withForm(meet, ({ questions: [one, two, three] }: Flat) => ({
      questions: [one, { ...two, image: PIXEL }, three],
    }))
    await first.walksTo('question')
    const { message, data } = first.question
    const second = withAnother(first, { testId: 'sleep-20' })
    await second.opens()
    await second.taps(/^begin:/)
    expect(second.place).toBe('name')
    await first.acts(() => first.person.tap(data[1] ?? '', message))
    // The picture and its question have come below.
    expect(first.question.position).toBe(2)
    expect(first.question.message).toEqual(first.person.last)
    await first.waits(2_000)
    await first.says('گاهی')
    expect(first.question.position).toBe(3)
  },
)
