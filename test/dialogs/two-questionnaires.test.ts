import { expect } from 'vitest'
import { readQuestion } from '../question.ts'
import { story, withAnother } from './walk.ts'

story('a typed number belongs to the questionnaire that was tapped last', async ({ meet }) => {
  const first = await meet({ at: 'question', sandbox: { testsAuthRequired: false } })
  const { message, data } = first.question
  const second = withAnother(first, { testId: 'sleep-20', testsAuthRequired: false })
  await second.opens()
  await second.walksTo('question')
  const other = second.question.s
  await first.waits(2_000)
  // Back to the first one by its button further up.
  await first.acts(() => first.person.tap(data[1] ?? '', message))
  await first.says('1')
  expect(first.question.s).not.toBe(other)
  expect(first.question.position).toBe(3)
})

story('a typed number belongs to the questionnaire that was opened last', async ({ meet }) => {
  const first = await meet({ at: 'question', sandbox: { testsAuthRequired: false } })
  await first.answers(1)
  const second = withAnother(first, { testId: 'sleep-20', testsAuthRequired: false })
  await second.opens()
  await second.walksTo('question')
  await second.says('1')
  expect(second.question.position).toBe(2)
  await second.opens(first.payload)
  await second.says('1')
  expect(first.question.position).toBe(3)
})

story(
  'the bot asks about a number where a question above was rendered again and another is below',
  async ({ meet }) => {
    const first = await meet({ at: 'question', sandbox: { testsAuthRequired: false } })
    await first.answers(1)
    const { message, s, position } = first.question
    const second = withAnother(first, { testId: 'sleep-20', testsAuthRequired: false })
    await second.opens()
    await second.walksTo('question')
    await second.answers(1)
    await first.acts(() => first.person.tap(`go:${s}:${position - 2}`, message))
    await first.meetsRestart()
    const [above, below] = [first.question.position, second.question.position]
    await first.says('1')
    expect([first.question.position, second.question.position]).toEqual([above, below])
  },
)

story('two tests that are answered by turns each keep their own answers', async ({ meet }) => {
  const first = await meet({ at: 'question', sandbox: { testsAuthRequired: false } })
  const second = withAnother(first, { testId: 'mood-7', testsAuthRequired: false })
  const { message: above } = first.question
  await second.opens()
  await second.walksTo('question')
  const { message: below } = second.question
  for (let turn = 0; turn < 7; turn += 1)
    for (const [{ message_id: id }, option] of [
      [above, 1],
      [below, 3],
    ] as const) {
      const message = first.person.messages.find((each) => each.message_id === id)
      const { data } = readQuestion(message, first.person.transcript)
      await first.acts(() => first.person.tap(data[option] ?? '', message))
    }
  for (const { message_id: id } of [above, below]) {
    const message = first.person.messages.find((each) => each.message_id === id)
    await first.taps(/^submit:/, message)
  }
  const chosen = (option: number) => Array.from({ length: 7 }, (_, at) => `q${at + 1}o${option + 1}`)
  expect(first.submissions).toMatchObject([{ record: chosen(1), accepted: true }])
  expect(second.submissions).toMatchObject([{ record: chosen(3), accepted: true }])
})
