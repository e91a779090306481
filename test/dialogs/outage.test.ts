import { expect } from 'vitest'
import { DAY_MS } from '../../src/domain/durations.ts'
import { callsInLine, holdUp } from '../held-up.ts'
import { until } from '../until.ts'
import { another, type Participant, story, withAnother, word } from './walk.ts'

const EARLY = word('answer-too-early')

story('after an outage that swallowed taps the current question is shown again', async ({ meet }) => {
  const participant = await meet({ at: 'question' })
  await participant.answers(1, 2)
  const before = participant.question.message.message_id
  await participant.world.stop()
  participant.world.pass(5 * 60_000)
  await participant.world.start()
  await participant.world.settled()
  await participant.waits(3_000)
  expect(participant.question.position).toBe(3)
  expect(participant.question.message.message_id).toBeGreaterThan(before)
  await participant.answers(0)
  expect(participant.question.position).toBe(4)
})

story('after an outage no question comes below one that asks for details', async ({ meet }) => {
  const first = await meet({ at: 'question' })
  await first.answers(1)
  const { position } = first.question
  const second = withAnother(first, { testId: 'sleep-20' })
  await second.opens()
  await second.taps(/^begin:/)
  expect(second.place).toBe('name')
  await isDown(first, 5 * 60_000, () => undefined)
  expect(second.place).toBe('name')
  await second.says('زهرا محمدی')
  expect(second.place).toBe('birth')
  expect(first.question.position).toBe(position)
})

story('a number typed below a question that an outage has brought below is its answer', async ({ meet }) => {
  const first = await meet({ at: 'question' })
  await first.answers(1)
  const second = withAnother(first, { testId: 'sleep-20' })
  await second.opens()
  // Somebody else begins what this chat has opened.
  const faster = another(second)
  await faster.opens()
  await faster.taps(/^begin:/)
  await isDown(first, 5 * 60_000, () => undefined)
  expect(first.place).toBe('question')
  await first.waits(2_000)
  await first.says('2')
  expect(first.question.position).toBe(3)
})

story('after an outage no question comes below one about words for the organizer', async ({ meet }) => {
  const participant = await meet({ at: 'question', environment: { ORGANIZERS: '4001' } })
  await participant.answers(1)
  await participant.taps(/^ask:/)
  const asked = participant.screen
  expect(asked).toContain(word('ask-words'))
  await isDown(participant, 5 * 60_000, () => undefined)
  expect(participant.screen).toBe(asked)
  await participant.says('2')
  expect(participant.heard).toContain(word('ask-sent'))
  expect(participant.question.position).toBe(2)
})

story('a short restart sends nothing', async ({ meet }) => {
  const participant = await meet({ at: 'question' })
  await participant.answers(1)
  const said = participant.person.messages.length
  await participant.meetsRestart()
  expect(participant.person.messages).toHaveLength(said)
})

/** The bot is down for this time, and `act` happens halfway. */
async function isDown({ world, waits }: Participant, ms: number, act: () => unknown): Promise<void> {
  await world.stop()
  world.pass(ms / 2)
  act()
  world.pass(ms / 2)
  await world.start()
  await world.settled()
  await waits(3_000)
}

story('a number typed below a question during an outage is its answer', async ({ meet }) => {
  for (const isTapped of [false, true]) {
    const sara = await meet({ at: 'question' })
    if (isTapped) {
      await sara.meetsRestart()
      await sara.answers(0)
    }
    const { position } = sara.question
    await isDown(sara, 12 * 60_000, () => sara.person.say('۲'))
    expect(sara.question.position).toBe(position + 1)
    expect(sara.chat).not.toContain(EARLY)
    // The current question has its buttons once.
    expect(sara.buttons.filter((data) => /^a:.*:0:/.test(data))).toHaveLength(1)
  }
})

story('the second of two numbers typed during an outage answers no question', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  await isDown(sara, 12 * 60_000, () => {
    sara.person.say('۲')
    sara.person.say('۳')
  })
  expect(sara.question.position).toBe(2)
  expect(sara.chat).toContain(EARLY)
})

for (const [days, sent] of [
  [1, 1],
  [35, 0],
] as const)
  story(
    `details whose call waits in the queue over an outage of ${days} days: calls ${sent}`,
    async ({ meet }) => {
      const sara = await meet({ at: 'summary' })
      const { world, person } = sara
      await holdUp(world, 300)
      person.tap('profile:ok')
      await until(async () => (await callsInLine(world)) === 2)
      await isDown(sara, days * DAY_MS, () => undefined)
      await until(async () => (await callsInLine(world)) === 0)
      await world.settled()
      expect(world.sandbox.calls.filter(({ path }) => path.endsWith('/auth/'))).toHaveLength(sent)
    },
  )

story(
  'an outage is also noticed where the participant had paused before and went on by a tap',
  async ({ meet }) => {
    const sara = await meet({ at: 'question' })
    await sara.answers(1)
    for (let looks = 0; looks < 16; looks++) await sara.waits(2 * 60_000)
    await sara.answers(1)
    await sara.waits(60_000)
    await sara.answers(1)
    const before = sara.question.message.message_id
    await isDown(sara, 5 * 60_000, () => undefined)
    expect(sara.question.message.message_id).toBeGreaterThan(before)
  },
)
