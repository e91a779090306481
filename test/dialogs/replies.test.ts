import { expect } from 'vitest'
import { knownPerson, shortTest } from './short-tests.ts'
import { type Participant, story, withAnother, word, wordInEnglish } from './walk.ts'

const atQuestion = { at: 'question', ...knownPerson() } as const
const ELSEWHERE = word('answer-elsewhere')

/** Writes a reply to a message, well after the message was shown. */
const replies = ({ world, person, acts }: Participant, text: string, messageId: number) =>
  acts(() => {
    world.pass(2_000)
    person.say(text, { replyTo: messageId })
  })

/** A second test of the same person, at its first question. */
async function withSecond(first: Participant): Promise<Participant> {
  const second = withAnother(first, { testId: 'short', authRequired: false })
  await second.opens()
  await second.walksTo('question')
  return second
}

story('a reply to an answered question records nothing and shows the current question', async ({ meet }) => {
  const sara = await meet(atQuestion)
  const first = sara.question.message.message_id
  await sara.says('1')
  for (const text of ['۳', 'بله', 'قبلی', 'بعداً']) {
    await replies(sara, text, first)
    expect(sara.heard, text).toContain(ELSEWHERE)
    expect(sara.question.position, text).toBe(2)
    expect(sara.place, text).toBe('question')
  }
})

story('a reply to the current question is an answer like any other', async ({ meet }) => {
  const sara = await meet(atQuestion)
  await replies(sara, '۲', sara.question.message.message_id)
  expect(sara.question.position).toBe(2)
  await sara.answers(0)
  await replies(sara, 'قبلی', sara.question.message.message_id)
  expect(sara.question.position).toBe(2)
})

story('a reply to the question of another open test answers that test', async ({ meet }) => {
  const first = await meet(atQuestion)
  const above = first.question.message.message_id
  const second = await withSecond(first)
  const other = second.question.s
  await replies(first, '2', above)
  expect(first.question.s).not.toBe(other)
  expect(first.question.position).toBe(2)
  // The same after a restart, when only Telegram knows what the message shows.
  const below = second.person.messages.find(({ reply_markup }) =>
    JSON.stringify(reply_markup ?? '').includes(`a:${other}:0:`),
  )
  await first.meetsRestart()
  await replies(first, '1', below?.message_id ?? 0)
  expect(first.question.s).toBe(other)
  expect(first.question.position).toBe(2)
  expect(first.heard).not.toContain(ELSEWHERE)
})

const LONG = Array.from({ length: 1_500 }, () => 'چرا').join(' ')
/** The message of the bot right above the current question. */
const aboveQuestion = ({ person, question }: Participant) =>
  person.messages.findLast(({ message_id, from }) => from.is_bot && message_id < question.message.message_id)
    ?.message_id ?? 0

const longTest = () => {
  const items = [LONG, 'دوم', LONG].map((text) => ['calm', text] as const)
  return { at: 'question', ...knownPerson(shortTest({ sections: [{ title: 'همه', items }] })) } as const
}

story('a reply to the first part of a long question answers no question', async ({ meet }) => {
  const sara = await meet(longTest())
  const above = aboveQuestion(sara)
  await replies(sara, '3', above)
  expect(sara.heard).toContain(ELSEWHERE)
  expect(sara.question.position).toBe(1)
  await sara.answers(0)
  await replies(sara, '3', above)
  expect(sara.heard).toContain(ELSEWHERE)
  expect(sara.question.position).toBe(2)
})

story('«بفرست» sends the test whose review it replies to', async ({ meet }) => {
  const first = await meet(atQuestion)
  await first.walksTo('review')
  const above = first.person.last?.message_id ?? 0
  const second = await withSecond(first)
  await second.walksTo('review')
  await replies(first, 'بفرست', above)
  expect(first.submissions).toHaveLength(1)
  expect(second.submissions).toHaveLength(0)
})

story('a reply to a question above is an answer although the chat waits for none', async ({ meet }) => {
  const first = await meet(atQuestion)
  const above = first.question.message.message_id
  const second = await withSecond(first)
  await second.walksTo('review')
  await second.taps(/^submit:/)
  await replies(first, '2', above)
  expect(first.question.position).toBe(2)
})

story('a reply to a paused test makes it go on, and records nothing', async ({ meet }) => {
  const first = await meet(atQuestion)
  await first.taps(/^pause:/)
  const above = first.person.last?.message_id ?? 0
  await withSecond(first)
  await replies(first, '2', above)
  expect(first.question.position).toBe(1)
  expect(first.place).toBe('question')
})

story('a participant who reads English is answered in English', async ({ meet }) => {
  const sara = await meet({ ...atQuestion, person: { languageCode: 'en' } })
  const first = sara.question.message.message_id
  await sara.says('1')
  await replies(sara, '3', first)
  expect(sara.heard).toContain(wordInEnglish('answer-elsewhere'))
})

story('a yes in reply to something else neither consents nor sends a profile', async ({ meet }) => {
  const first = await meet(atQuestion)
  const above = first.question.message.message_id
  const second = withAnother(first, { testId: 'short', authRequired: false })
  await second.opens()
  const older = first.person.messages.at(-2)?.message_id ?? 0
  await replies(first, 'بله', older)
  expect(second.place).toBe('introduction')
  const third = withAnother(first, { testId: 'short' })
  await third.opens()
  await third.walksTo('name')
  await replies(third, 'نرگس آبی', older)
  expect(third.place).toBe('name')
  expect(third.heard).toContain(ELSEWHERE)
  await replies(third, 'نرگس آبی', third.person.last?.message_id ?? 0)
  expect(third.place).toBe('birth')
  await third.walksTo('summary')
  await replies(first, 'بله', older)
  expect(third.calls).not.toContain('auth')
  expect(third.place).toBe('summary')
  await replies(first, 'بله', above)
  expect(third.calls).not.toContain('auth')
  expect(first.question.position).toBe(2)
})
