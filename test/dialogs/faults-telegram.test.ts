import { expect } from 'vitest'
import type { Fault } from '../../src/demo/emulator/emulator.ts'
import { type Participant, story, word } from './walk.ts'

const mood = { at: 'question', record: { testsAuthRequired: false } } as const

async function finishes(sara: Participant) {
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  for (let tries = 0; tries < 4 && sara.files.length < 2; tries++) await sara.waits(10_000)
  expect(sara.submissions.filter(({ accepted }) => accepted)).toHaveLength(1)
}

const harmless: readonly [string, Fault][] = [
  ['is refused with 500', { kind: 'error' }],
  ['is refused with 500 but carried out', { kind: 'error', executed: true }],
  ['is answered with a page of HTML', { kind: 'html' }],
  ['is cut', { kind: 'cut' }],
  ['is cut but carried out', { kind: 'cut', executed: true }],
]

for (const [what, fault] of harmless) {
  story(`a change of the screen that ${what} is tried again`, async ({ meet }) => {
    const sara = await meet(mood)
    sara.world.emulator.fault({ ...fault, method: 'editMessageText' } as Fault)
    await sara.answers(2)
    expect(sara.question.position).toBe(2)
    await finishes(sara)
  })
}

story(
  'a screen that could not be changed at all costs no answer and heals with the next tap',
  async ({ meet }) => {
    const sara = await meet(mood)
    const { data, message } = sara.question
    const description = 'Bad Request: something new'
    sara.world.emulator.fault({ kind: 'error', status: 400, description, method: 'editMessageText' })
    await sara.forges(data[1] ?? '', message)
    expect(sara.question.position).toBe(1)
    await sara.forges(data[2] ?? '', message)
    expect(sara.question.position).toBe(2)
    expect(sara.person.toasts).toEqual([word('toast-answer-stands', { position: 1, label: 'چند روز' })])
    await sara.taps(word('button-question-back'))
    expect(sara.screen).toContain(word('question-chosen', { number: 2, label: 'چند روز' }))
  },
)

story('a flood limit is waited out', async ({ meet }) => {
  const sara = await meet(mood)
  sara.world.emulator.fault({ kind: 'flood', retryAfter: 1, method: 'editMessageText' })
  await sara.answers(2)
  expect(sara.question.position).toBe(2)
})

const sends: readonly [string, Fault][] = [
  ['refused with 500', { kind: 'error' }],
  ['answered with a page of HTML', { kind: 'html' }],
  ['cut', { kind: 'cut' }],
  ['cut but carried out', { kind: 'cut', executed: true }],
]
for (const [what, fault] of sends) {
  story(`a message that is ${what} comes a little later`, async ({ meet }) => {
    const sara = await meet({ at: 'gender' })
    sara.world.emulator.fault({ ...fault, method: 'sendMessage' } as Fault)
    await sara.taps('gender:male')
    await sara.waits(9_000)
    expect(sara.place).toBe('mobile')
    await sara.walksTo('summary')
    expect(sara.screen).toContain(word('summary-gender', { gender: word('gender-male') }))
    expect(sara.world.lines.join('')).not.toContain('set aside')
  })

  story(`a typed answer counts once when the next question is ${what}`, async ({ meet }) => {
    const sara = await meet(mood)
    sara.world.emulator.fault({ ...fault, method: 'sendMessage' } as Fault)
    await sara.says('۳')
    await sara.waits(9_000)
    expect(sara.question.position).toBe(2)
    await sara.taps(word('button-question-back'))
    expect(sara.screen).toContain(word('question-chosen', { number: 3, label: 'بیشتر روزها' }))
  })

  story(`one SMS goes out when the word about it is ${what}`, async ({ meet }) => {
    const sara = await meet({ at: 'summary' })
    sara.world.emulator.fault({ ...fault, method: 'sendMessage' } as Fault)
    await sara.taps('profile:ok')
    await sara.waits(9_000)
    expect(sara.codes).toHaveLength(1)
    expect(sara.place).toBe('code')
    await sara.walksTo('question')
    expect(sara.calls).toEqual(['look', 'auth', 'verify', 'questions'])
  })
}

for (const method of ['sendPhoto', 'sendDocument'] as const) {
  story(`a result arrives although ${method} fails at first`, async ({ meet }) => {
    const sara = await meet(mood)
    sara.world.emulator.fault({ kind: 'error', method })
    await finishes(sara)
    expect(sara.files).toHaveLength(2)
  })
}

story('a result arrives although Telegram floods', async ({ meet }) => {
  const sara = await meet(mood)
  sara.world.emulator.fault({ kind: 'flood', retryAfter: 1, method: 'sendPhoto' })
  await finishes(sara)
  expect(sara.files).toHaveLength(2)
})

story('taps made while Telegram is away are taken when it is back', async ({ meet }) => {
  const sara = await meet(mood)
  const { s, message } = sara.question
  const outage = sara.world.emulator.fault({ kind: 'down' })
  for (const [index, option] of [1, 2, 3].entries()) {
    sara.person.rawTap(message, `a:${s}:${index}:${option}:${index + 1}`)
  }
  await new Promise((resolve) => setTimeout(resolve, 40))
  outage.end()
  await sara.world.settled()
  expect(sara.question.position).toBe(4)
})

story('a message that nobody can edit is sent anew', async ({ meet }) => {
  const sara = await meet(mood)
  const { message } = sara.question
  const description = "Bad Request: message can't be edited"
  sara.world.emulator.fault({ kind: 'error', status: 400, description, method: 'editMessageText' })
  await sara.answers(2)
  expect(sara.question.position).toBe(2)
  expect(sara.question.message.message_id).toBeGreaterThan(message.message_id)
})

story('an acknowledgement that comes too late is no failure', async ({ meet }) => {
  const sara = await meet(mood)
  const description = 'Bad Request: query is too old and response timeout expired or query ID is invalid'
  sara.world.emulator.fault({
    kind: 'error',
    status: 400,
    description,
    method: 'answerCallbackQuery',
    times: 2,
  })
  await sara.answers(2)
  await sara.taps(word('button-question-back'))
  expect(sara.question.position).toBe(1)
})

story('a person who blocks the bot in the middle goes on where they were', async ({ meet }) => {
  const sara = await meet(mood)
  await sara.answers(1, 2)
  await sara.acts(() => sara.person.block())
  await sara.opens('')
  expect(sara.question.position).toBe(3)
})

story('an account that was deleted stops nothing', async ({ meet }) => {
  const sara = await meet(mood)
  await sara.walksTo('review')
  sara.person.tap(/^submit:/)
  sara.person.deactivate()
  await sara.world.settled()
  await sara.waits(30_000)
  expect(sara.submissions).toHaveLength(1)
  expect(sara.world.lines.join('')).not.toContain('set aside')
})
