import { expect } from 'vitest'
import { openAttempt } from '../../src/domain/attempt-layout.ts'
import { attemptKey } from '../../src/storage/documents/attempts.ts'
import { withStorage } from '../kept-entries.ts'
import { readQuestion } from '../question.ts'
import { sectionedTest, shortTest } from './short-tests.ts'
import { type Participant, story, withAnother, word, wordInEnglish, ZAHRA } from './walk.ts'

const LONG = 'سنجش بسیار دقیق و گستردهٔ حال و هوای این روزهای شما و خانواده'
const tests = [
  shortTest(),
  sectionedTest({ id: 'sections', title: 'صبح و شب' }),
  shortTest({ id: 'long', title: LONG }),
]
const settings = { sandbox: { tests, testsAuthRequired: false }, record: { testId: 'short' } }

/** Another test of the same account, answered by a person of this name. */
async function also(participant: Participant, testId: string, name: string): Promise<Participant> {
  const other = withAnother(participant, { testId, testsAuthRequired: false })
  await other.opens()
  await other.walksTo('name')
  await other.says(name)
  await other.walksTo('question')
  return other
}

/** The first line of the newest message with a question of this test. */
const headOf = ({ person }: Participant, s: string) =>
  person.messages
    .findLast(({ reply_markup }) => JSON.stringify(reply_markup ?? '').includes(`a:${s}:`))
    ?.text?.replace(/[\u200e\u200f\u2066-\u2069]/g, '')
    .split('\n')[0]

const OWN = 'آزمون کوتاه · زهرا'
const OTHER = 'صبح و شب · نگار'

story('each question of two open tests names its test, however it is shown', async ({ meet }) => {
  const sara = await meet({ ...settings, at: 'question', environment: { RESULT_TO: 'organizer' } })
  const { s, message } = sara.question
  expect(sara.screen).not.toContain('آزمون کوتاه')
  const negar = await also(sara, 'sections', 'نگار کریمی')
  const second = negar.question.s
  // The line is above the title of a section, and stays after a tap, of which the chat is not told.
  expect(headOf(sara, second)).toBe(OTHER)
  expect(negar.screen).toContain('صبح')
  await negar.answers(1)
  expect(headOf(sara, second)).toBe(OTHER)
  // The older test shows the line from the next time that the chat renders it, and so does its review.
  const { data } = readQuestion(message, sara.person.transcript)
  await sara.acts(() => sara.person.tap(data[0] ?? '', message))
  expect(headOf(sara, s)).not.toBe(OWN)
  await negar.taps(
    /^go:/,
    negar.person.messages.find(({ text }) => text?.includes(OTHER)),
  )
  expect(headOf(sara, second)).toBe(OTHER)
  await sara.opens()
  expect(headOf(sara, s)).toBe(OWN)
  await sara.answers(0, 0)
  expect(sara.place).toBe('review')
  expect(sara.screen).toContain(OWN)
  // A former version may lock a sealed attempt, and does not know `isNamed`.
  await withStorage(sara, async ({ store }) => {
    const kept = await store.read([s, second].map(attemptKey))
    const named = kept.map((entry) => openAttempt(Buffer.from(entry?.value ?? [])).isNamed)
    expect(named).toEqual([false, true])
  })
  await sara.taps(/^submit:/)
  expect(sara.chat).toContain(`${OWN}\n\n${word('submitted-organizer')}`)
  // One test is left: its question has no such line from the next time that the chat renders it.
  await negar.opens()
  expect(headOf(negar, second)).toContain(word('question-section-of', { number: 1, of: 2, title: '' }).trim())
})

story('a number counts at once for a question naming its test, also after a restart', async ({ meet }) => {
  const sara = await meet({ ...settings, at: 'question' })
  const negar = await also(sara, 'sections', 'نگار کریمی')
  await negar.answers(1)
  await negar.meetsRestart()
  await negar.says('2')
  expect(negar.heard).not.toContain(word('answer-too-early'))
  expect(negar.question.position).toBe(3)
})

story('a long title is shortened in the line above the question, also in English', async ({ meet }) => {
  const sara = await meet({ ...settings, at: 'question' })
  const negar = await also(sara, 'long', 'نگار کریمی')
  const { s } = negar.question
  expect(headOf(sara, s)).toMatch(/^سنجش بسیار دقیق.*….*خانواده · نگار$/)
  await sara.says('/language')
  await sara.taps('lang:en')
  expect(headOf(sara, s)).toMatch(/^سنجش بسیار دقیق.*….*خانواده · نگار$/)
  expect(headOf(sara, s)?.length).toBeLessThan(60)
  expect(negar.screen).toContain(wordInEnglish('question-progress', { position: 1, total: 3, minutes: 1 }))
})

story(
  'a name is for the test that asked for it last, also after a question to the organizer',
  async ({ meet }) => {
    const sara = await meet({ at: 'name', environment: { ORGANIZERS: '900' } })
    const asked = sara.person.last
    const [ask = ''] = sara.data.filter((data) => data.startsWith('ask:'))
    const other = withAnother(sara, { testId: 'mood-7' })
    await other.opens()
    await other.taps(/^begin:/)
    // Pressed on another phone, where the button was still there.
    await sara.forges(ask, asked)
    await sara.says('چقدر طول می‌کشد؟')
    expect(sara.place).toBe('name')
    await sara.says(ZAHRA.name)
    expect(sara.place).toBe('birth')
    await other.opens()
    expect(other.place).toBe('name')
  },
)

story('a text written before the way back to another test is no detail of that test', async ({ meet }) => {
  const sara = await meet({ at: 'mobile' })
  const other = withAnother(sara, { testId: 'mood-7' })
  await other.opens()
  await other.walksTo('name')
  const first = sara.buttons.find((data) => data.startsWith('open:'))
  const second = sara.data.find((data) => data.startsWith('ask:'))?.replace('ask:', 'open:')
  /** Types a text while the test of the pressed button is being shown. */
  const pressesAndSays = (data = '', text = '') =>
    sara.acts(() => {
      sara.person.rawTap(sara.person.last, data)
      sara.person.say(text)
    })
  await pressesAndSays(first, ZAHRA.mobile)
  expect(sara.place).toBe('mobile')
  expect(sara.screen).toContain(word('answer-too-early'))
  await pressesAndSays(second, 'نگار کریمی')
  expect(sara.place).toBe('name')
  expect(sara.screen).toContain(word('answer-too-early'))
  await sara.says('نگار کریمی')
  expect(sara.place).toBe('birth')
})

story('a pause of another test leaves the question of the dialog to be answered', async ({ meet }) => {
  const first = await meet({ at: 'question', sandbox: { testsAuthRequired: false } })
  const { s, message } = first.question
  const second = withAnother(first, { testId: 'sleep-20', testsAuthRequired: false })
  await second.opens()
  await second.walksTo('name')
  await second.taps(`pause:${s}`, message)
  expect(second.place).toBe('name')
  await second.says('زهرا محمدی')
  expect(second.place).toBe('birth')
})
