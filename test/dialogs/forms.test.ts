import { expect } from 'vitest'
import { defineTest } from '../../src/sandbox/sandbox.ts'
import { CONTACT, type Participant, story, word } from './walk.ts'

const noProfile = { authRequired: false }

async function sendsFirstOptions(sara: Participant): Promise<unknown> {
  while (sara.place === 'question') await sara.answers(0)
  await sara.taps(/^submit:/)
  expect(sara.submissions).toHaveLength(1)
  expect(sara.submissions[0]?.accepted).toBe(true)
  return sara.submissions[0]?.record
}

const ids = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `q${index + from}o1`)

for (const [testId, count, what] of [
  ['mood-7', 7, 'in data.questions'],
  ['choices-10', 10, 'as data itself'],
  ['week-12', undefined, 'as an HTML form'],
] as const) {
  story(`a flat list ${what} is answered with an array`, async ({ meet }) => {
    const sara = await meet({ at: 'question', record: { testId, ...noProfile } })
    const total = count ?? sara.world.sandbox.tests.find(({ id }) => id === testId)?.questions ?? 0
    expect(await sendsFirstOptions(sara)).toEqual(ids(total))
  })
}

story('a single section with an id is answered with an object', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { testId: 'sleep-20', ...noProfile } })
  expect(await sendsFirstOptions(sara)).toEqual({ s1: Array<string>(20).fill('o1') })
})

story('sections are answered with an object by section', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { testId: 'women-16', ...noProfile } })
  expect(await sendsFirstOptions(sara)).toEqual({ s1: ids(8), s2: ids(8, 9) })
})

story('the questions of an HTML form read as people wrote them', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { testId: 'week-12', ...noProfile } })
  expect(sara.screen).toContain('۱. ')
  expect(sara.question.options.length).toBeGreaterThan(1)
})

story('when one form of the answers is refused the other is tried once', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { testId: 'women-16', ...noProfile } })
  const { sandbox } = sara.world
  sandbox.fault({ kind: 'status', status: 400, message: 'record: must be an array.', method: 'POST' })
  while (sara.place === 'question') await sara.answers(0)
  await sara.taps(/^submit:/)
  const bodies = sandbox.calls
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => body as { record: unknown })
  expect(bodies.slice(-1)).toMatchObject([{ record: ids(16) }])
  expect(sara.calls.filter((call) => call === 'submit')).toHaveLength(2)
  // This service wants neither now; the answers are kept, and a later attempt begins with the usual form.
  expect(sara.place).toBe('refused')
  await sara.taps(/^retry:/)
  expect(sara.submissions.filter(({ accepted }) => accepted)).toMatchObject([
    { record: { s1: ids(8), s2: ids(8, 9) } },
  ])
})

story('a refused flat list has no other form', async ({ meet }) => {
  const sara = await meet({ at: 'review', record: noProfile })
  sara.world.sandbox.fault({ kind: 'status', status: 400, message: 'no', method: 'POST' })
  await sara.taps(/^submit:/)
  expect(sara.place).toBe('refused')
  expect(sara.calls.filter((call) => call === 'submit')).toHaveLength(1)
})

story(
  'questions that cannot be asked are refused with a clear word, to the organizer too',
  async ({ meet }) => {
    const empty = defineTest({
      id: 'empty',
      title: 'خالی',
      about: 'نمونه',
      minutes: 1,
      form: 'questions',
      sections: [],
      scales: {},
    })
    const sara = await meet({
      environment: { ORGANIZERS: '900' },
      sandbox: { tests: [empty] },
      record: { testId: 'empty', ...noProfile },
    })
    const manager = sara.world.emulator.person({ id: 900 })
    await sara.acts(() => manager.start())
    await sara.walksTo('introduction')
    await sara.taps(/^begin:/)
    expect(sara.heard).toContain(word('failure-organizer', { contact: CONTACT }))
    expect(manager.last.text).toBe(word('notice-questions-unreadable', { title: 'خالی' }))
  },
)
