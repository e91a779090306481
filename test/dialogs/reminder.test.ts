import { expect } from 'vitest'
import { type Participant, story, withAnother, word } from './walk.ts'

const HOUR = 3_600_000

/** Moves the clock to the next time of this hour in Tehran. */
async function waitsUntil(participant: Participant, hour: number): Promise<void> {
  const tehran = (participant.world.now() + 3.5 * HOUR) % (24 * HOUR)
  await participant.waits((hour * HOUR - tehran + 24 * HOUR) % (24 * HOUR))
}

const title = 'حال این دو هفته (نمونه) · زهرا'
const recalled = word('reminder', { title }).slice(0, 40)
const reminders = ({ person }: Participant) =>
  person.messages.filter(({ text }) => text?.startsWith(recalled))

story('an unfinished test is reminded of after each of the hours, and leads back', async ({ meet }) => {
  const sara = await meet()
  await waitsUntil(sara, 12)
  await sara.walksTo('question')
  await sara.answers(1, 2)
  await sara.waits(23 * HOUR)
  expect(reminders(sara)).toHaveLength(0)
  await sara.waits(2 * HOUR)
  expect(reminders(sara)).toHaveLength(1)
  expect(sara.heard).toContain(word('reminder-questions', { title, answered: 2, total: 7 }))
  await sara.waits(48 * HOUR)
  expect(reminders(sara)).toHaveLength(2)
  await sara.waits(100 * HOUR)
  expect(reminders(sara)).toHaveLength(2)
  await sara.taps(word('button-continue-question', { position: 3 }))
  expect(sara.question.position).toBe(3)
})

story('no reminder comes at night', async ({ meet }) => {
  const sara = await meet({ environment: { QUIET_HOURS: '22-8' } })
  await waitsUntil(sara, 23)
  await sara.walksTo('question')
  await sara.waits(25 * HOUR)
  expect(reminders(sara)).toHaveLength(0)
  await sara.waits(9 * HOUR)
  expect(reminders(sara)).toHaveLength(1)
})

story('two reminders that are due in the night come as one', async ({ meet }) => {
  const sara = await meet({ environment: { QUIET_HOURS: '22-8', REMINDER_HOURS: '1,6' } })
  await waitsUntil(sara, 21)
  await sara.walksTo('question')
  await sara.waits(12 * HOUR)
  expect(reminders(sara)).toHaveLength(1)
  await sara.waits(48 * HOUR)
  expect(reminders(sara)).toHaveLength(1)
})

story('answers by taps put the reminder off', async ({ meet }) => {
  const sara = await meet()
  await waitsUntil(sara, 10)
  await sara.walksTo('question')
  await sara.waits(20 * HOUR)
  await sara.answers(1)
  await sara.waits(6 * HOUR)
  expect(reminders(sara)).toHaveLength(0)
})

story('after «no more reminders» none comes', async ({ meet }) => {
  const sara = await meet()
  await waitsUntil(sara, 12)
  await sara.walksTo('question')
  await sara.waits(25 * HOUR)
  await sara.taps('remind:off')
  expect(sara.heard).toBe(word('reminders-off'))
  await sara.waits(72 * HOUR)
  expect(reminders(sara)).toHaveLength(1)
})

story('without REMINDER_HOURS no reminder comes', async ({ meet }) => {
  const sara = await meet({ environment: { REMINDER_HOURS: '' } })
  await waitsUntil(sara, 12)
  await sara.walksTo('question')
  await sara.waits(100 * HOUR)
  expect(reminders(sara)).toHaveLength(0)
})

story('a finished test is not reminded of', async ({ meet }) => {
  const sara = await meet()
  await waitsUntil(sara, 12)
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  await sara.waits(100 * HOUR)
  expect(reminders(sara)).toHaveLength(0)
})

story('what was sent while the bot was away is read before a reminder goes out', async ({ meet }) => {
  const sara = await meet({ at: 'review' })
  const { world } = sara
  await world.stop()
  world.pass(25 * HOUR)
  sara.person.tap(/^submit:/)
  // Telegram brings the tap a moment after the bot has begun to work.
  world.emulator.fault({
    kind: 'error',
    status: 500,
    description: 'Internal',
    method: /^getUpdates$/,
    times: 1,
  })
  await world.start()
  await world.settled()
  for (let pause = 0; pause < 3; pause += 1) await sara.waits(60_000)
  expect(sara.chat).not.toContain(word('reminder-complete', { title }))
  expect(sara.submissions).toHaveLength(1)
})

story('reminders within minutes are put off by acts within minutes', async ({ meet }) => {
  const sara = await meet({ environment: { REMINDER_HOURS: '0.1' } })
  await sara.walksTo('name')
  await sara.waits(0.08 * HOUR)
  await sara.says('زهرا محمدی')
  await sara.waits(0.05 * HOUR)
  expect(reminders(sara)).toHaveLength(0)
  await sara.waits(0.06 * HOUR)
  expect(reminders(sara)).toHaveLength(1)
})

story('one reminder names every unfinished test, and leads to each', async ({ meet }) => {
  const sara = await meet({ sandbox: { testsAuthRequired: false } })
  await waitsUntil(sara, 12)
  await sara.walksTo('question')
  await sara.answers(1, 2)
  const finished = withAnother(sara, { testId: 'mood-7', testsAuthRequired: false })
  await finished.opens()
  await finished.walksTo('review')
  await finished.taps(/^submit:/)
  const second = withAnother(sara, { testId: 'sleep-20', testsAuthRequired: false })
  await second.opens()
  await second.walksTo('name')
  await sara.waits(25 * HOUR)
  const several = word('reminder-several', { count: 2 })
  const recalled = sara.person.messages.filter(({ text }) => text?.startsWith(several))
  expect(recalled).toHaveLength(1)
  const sleep = 'خواب و آرامش (نمونه)'
  expect(recalled[0]?.text).toBe(
    [
      several,
      word('tests-line', { number: 1, title: sleep, state: word('stage-profile') }),
      word('tests-line', {
        number: 2,
        title,
        state: word('stage-question', { position: 3, total: 7 }),
      }),
    ].join('\n\n'),
  )
  const [, mood = ''] = sara.data
  expect(sara.data).toEqual([expect.stringMatching(/^open:/), `open:${sara.question.s}`, 'remind:off'])
  await sara.taps(mood)
  expect(sara.question.position).toBe(3)
})

story('no reminder comes for answers that have expired', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: { RETENTION_DAYS: '2' } })
  await sara.answers(1, 1)
  await sara.waits(25 * HOUR)
  const before = sara.fromBot().length
  for (let hours = 0; hours < 50; hours += 5) await sara.waits(5 * HOUR)
  expect(sara.fromBot()).toHaveLength(before)
})

story('a participant who goes on after the last reminder is reminded again', async ({ meet }) => {
  const sara = await meet()
  await waitsUntil(sara, 12)
  await sara.walksTo('question')
  await sara.waits(25 * HOUR)
  await sara.waits(48 * HOUR)
  await sara.waits(HOUR)
  expect(reminders(sara)).toHaveLength(2)
  await sara.answers(1)
  await sara.waits(25 * HOUR)
  await sara.waits(HOUR)
  expect(reminders(sara)).toHaveLength(3)
})
