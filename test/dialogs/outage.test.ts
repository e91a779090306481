import { expect } from 'vitest'
import { story } from './walk.ts'

story('after an outage that swallowed taps the current question is shown again', async ({ meet }) => {
  const participant = await meet({ at: 'question' })
  await participant.answers(1, 2)
  const before = participant.question.message.message_id
  await participant.world.stop()
  participant.world.pass(5 * 60_000)
  await participant.world.start()
  await participant.world.settled()
  expect(participant.question.position).toBe(3)
  expect(participant.question.message.message_id).toBeGreaterThan(before)
  await participant.answers(0)
  expect(participant.question.position).toBe(4)
})

story('a short restart says nothing', async ({ meet }) => {
  const participant = await meet({ at: 'question' })
  await participant.answers(1)
  const said = participant.person.messages.length
  await participant.meetsRestart()
  expect(participant.person.messages).toHaveLength(said)
})
