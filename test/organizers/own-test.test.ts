import { expect } from 'vitest'
import { shortTest } from '../dialogs/short-tests.ts'
import { createParticipant, type Participant } from '../dialogs/walk.ts'
import { type Office, story, word } from './office.ts'

const environment = { QUIET_HOURS: '0-0', REMINDER_HOURS: '' }
const sandbox = { tests: [shortTest({ answers: ['بله', 'خیر'] })], testsAuthRequired: false }

const addRecord = ({ world }: Office) => world.sandbox.addRecord({ testId: 'short', authRequired: false })

/** The organizer takes a test of their own, up to its first question. */
async function takesOwnTest(office: Office): Promise<Participant> {
  const own = createParticipant(office.world, office.person, addRecord(office))
  await own.opens()
  await own.walksTo('question')
  return own
}

/** Types a text well after the last message was shown: it is not an answer of the test. */
async function isNoAnswer(office: Office, own: Participant, text: string): Promise<void> {
  office.world.pass(2_000)
  await office.says(text)
  expect(office.heard).toContain('معلوم نیست')
  expect(own.question.position).toBe(1)
}

story('a yes to whether a class is reminded is no answer of the organizer’s own test', async ({ work }) => {
  const office = await work({ environment, sandbox })
  const token = addRecord(office)
  await office.says(`/invite # ۷ب\n${token},11\n${addRecord(office)},12`)
  const sara = office.join(token)
  await sara.opens()
  await sara.walksTo('question')
  await sara.waits(25 * 3_600_000)
  const own = await takesOwnTest(office)
  const group = office.buttons.find((data) => /^group:[^:]+:1$/.test(data)) ?? ''
  const above = office.person.messages.findLast(({ reply_markup: keyboard }) =>
    JSON.stringify(keyboard ?? '').includes(group),
  )
  await office.taps(group, above)
  await office.taps(/^nudgeall:[^:]+$/)
  expect(office.heard).toContain(word('group-nudge-ask', { name: '۷ب', count: 1 }))
  await isNoAnswer(office, own, 'بله')
})

story('the number of a line of /records is no answer of the organizer’s own test', async ({ work }) => {
  const office = await work({ sandbox })
  for (const _ of [1, 2, 3]) addRecord(office)
  const own = await takesOwnTest(office)
  await office.says('/records')
  await isNoAnswer(office, own, '2')
})
