import { expect } from 'vitest'
import { eventually } from '../until.ts'
import { another, type Participant, story, word } from './walk.ts'

const mood = { at: 'question', record: { authRequired: false } } as const

/** Submits the answers and returns the chosen options by position. */
async function recorded(sara: Participant): Promise<number[]> {
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  const { record = [] } = sara.submissions[0] ?? {}
  return (record as string[]).map((id) => Number(id.split('o')[1]) - 1)
}

story('a button tapped twice counts once', async ({ meet }) => {
  const sara = await meet(mood)
  const { data, message } = sara.question
  await sara.acts(() => {
    sara.person.rawTap(message, data[1] ?? '')
    sara.person.rawTap(message, data[1] ?? '')
  })
  expect(sara.question.position).toBe(2)
  expect(sara.person.toasts).toEqual([])
})

story('a second tap on another option shows which answer was recorded', async ({ meet }) => {
  const sara = await meet(mood)
  const { data, message } = sara.question
  await sara.acts(() => {
    sara.person.rawTap(message, data[1] ?? '')
    sara.person.rawTap(message, data[3] ?? '')
  })
  const told = sara.person.answers.filter(({ text }) => text !== undefined)
  const stands = word('toast-answer-stands', { position: 1, label: 'چند روز' })
  expect(told).toMatchObject([{ text: stands, showAlert: true }])
  expect(sara.question.position).toBe(2)
  expect((await recorded(sara))[0]).toBe(1)
})

story('the question shows the recorded answer where the second tap is too old', async ({ meet }) => {
  const sara = await meet(mood)
  const { data, message } = sara.question
  const { fault } = sara.world.emulator
  const description = 'Bad Request: query is too old and response timeout expired or query ID is invalid'
  fault({ kind: 'error', status: 400, description, method: 'answerCallbackQuery', times: 2 })
  await sara.acts(() => {
    sara.person.rawTap(message, data[1] ?? '')
    sara.person.rawTap(message, data[3] ?? '')
  })
  const stands = word('toast-answer-stands', { position: 1, label: 'چند روز' })
  expect(sara.question).toMatchObject({ position: 2, message: { message_id: message.message_id } })
  expect(sara.question.message.text).toContain(stands)
  await sara.answers(0)
  expect(sara.chat).not.toContain(stands)
  expect((await recorded(sara)).slice(0, 2)).toEqual([1, 0])
})

story('with ALLOW_BACK=false the alert does not say how to change the answer', async ({ meet }) => {
  const sara = await meet({ ...mood, environment: { ALLOW_BACK: 'false' } })
  const { data, message } = sara.question
  await sara.forges(data[1] ?? '', message)
  await sara.forges(data[3] ?? '', message)
  expect(sara.person.toasts).toEqual([word('toast-answer-stands-fixed', { position: 1, label: 'چند روز' })])
})

story('every tap is acknowledged, also one that changes nothing', async ({ meet }) => {
  const sara = await meet({ ...mood, onFoot: true })
  const { data, message } = sara.question
  for (let count = 0; count < 4; count++) await sara.forges(data[1] ?? '', message)
  expect(sara.person.answers).toHaveLength(5)
})

story('a tap on an older question shows the current one and records nothing', async ({ meet }) => {
  const sara = await meet(mood)
  const first = sara.question
  await sara.says('۲')
  await sara.says('۳')
  await sara.forges(first.data[3] ?? '', first.message)
  expect(sara.question.position).toBe(3)
  expect((await recorded(sara)).slice(0, 2)).toEqual([1, 2])
})

story('a tap that a typed answer overtakes leaves one copy of the next question', async ({ meet }) => {
  const sara = await meet(mood)
  const first = sara.question
  await sara.says('۲')
  await sara.forges(first.data[3] ?? '', first.message)
  const copies = sara.person.messages.filter(({ text = '' }) => text.includes('پرسش ۲ از ۷'))
  expect(copies.map(({ message_id: id }) => id)).toEqual([sara.person.last.message_id])
  expect(sara.buttons.filter((data) => data.startsWith('a:'))).toHaveLength(sara.question.data.length)
  expect((await recorded(sara))[0]).toBe(1)
})

story('a question is rendered again in the lowest message, and only there', async ({ meet }) => {
  const sara = await meet(mood)
  await sara.answers(1, 1)
  await sara.forges(`go:${sara.question.s}:0`)
  const { data, message: above } = sara.question
  await sara.acts(() => {
    sara.person.say('چی؟')
    sara.person.rawTap(above, data[2] ?? '')
  })
  expect(sara.question.position).toBe(3)
  expect(sara.question.message.message_id).toBeGreaterThan(above.message_id)
  expect(sara.person.messages.filter(({ text = '' }) => text.includes('پرسش ۳ از ۷'))).toHaveLength(1)
  await sara.says('۴')
  expect((await recorded(sara)).slice(0, 3)).toEqual([2, 1, 3])
})

for (const kind of ['duplicate', 'shuffle'] as const) {
  story(`taps that Telegram delivers as ${kind} lead to one answer each`, async ({ meet }) => {
    const sara = await meet(mood)
    const { s, message } = sara.question
    sara.world.emulator.fault({ kind, times: 3 })
    await sara.acts(() => {
      for (const [index, option] of [1, 2, 3].entries()) {
        sara.person.rawTap(message, `a:${s}:${index}:${option}:${index + 1}`)
      }
    })
    const { position } = sara.question
    const answers = await recorded(sara)
    expect(answers).toHaveLength(7)
    expect(answers.slice(0, position - 1)).toEqual([1, 2, 3].slice(0, position - 1))
    expect(sara.submissions).toHaveLength(1)
  })
}

story('a batch of taps that comes again after a crash changes nothing', async ({ meet }) => {
  const sara = await meet(mood)
  await sara.answers(0, 0)
  const { s, message } = sara.question
  const batch = [`a:${s}:2:1:3`, `go:${s}:2`, `a:${s}:2:3:5`, `go:${s}:2`]
  for (const data of batch) await sara.forges(data, message)
  const { revision } = sara.question
  for (const data of batch) await sara.forges(data, message)
  expect(sara.question.position).toBe(3)
  expect(sara.question.revision).toBe(revision)
  await sara.taps(word('button-question-return', { position: 4 }))
  expect((await recorded(sara))[2]).toBe(3)
})

story('a message that comes again does not answer a second question', async ({ meet }) => {
  const sara = await meet(mood)
  sara.world.emulator.fault({ kind: 'duplicate', times: 2 })
  await sara.says('۲')
  expect(sara.question.position).toBe(2)
})

story('forged answers change nothing', async ({ meet }) => {
  const sara = await meet(mood)
  await sara.answers(1)
  const { s, message, revision } = sara.question
  for (const data of [
    `a:${s}:1:4:${revision}`,
    `a:${s}:1:250:${revision}`,
    `a:${s}:7:0:${revision}`,
    `a:${s}:99999:0:${revision}`,
    `a:${s}:2:0:${revision}`,
    `a:${s}:1:0:zzzzzzz`,
    `a:${s}:1:0:0`,
    `a:${s}:-1:0:${revision}`,
    `a:AAAAAAAA:1:0:${revision}`,
    `a:${s}:1:0`,
    'a:',
    `go:${s}:5`,
    `go:${s}:99999`,
    `go:${s}:-1`,
    `review:${s}:0`,
    `review:${s}:999`,
    `submit:${s}`,
    `retry:${s}`,
    `result:${s}`,
    `begin:${s}`,
    `refresh:${s}`,
    'profile:ok',
    'sms:again',
    'forget:yes',
    'birth:ok',
    '',
    'ا'.repeat(30),
  ]) {
    await sara.forges(data, message)
    expect(sara.question, data).toMatchObject({ position: 2 })
  }
  expect(sara.calls.filter((call) => call !== 'look')).toEqual(['questions'])
  expect((await recorded(sara)).slice(0, 1)).toEqual([1])
})

story('buttons of another account’s test do nothing and reveal nothing', async ({ meet }) => {
  const sara = await meet(mood)
  const { s, data, message } = sara.question
  const reza = another(sara)
  await reza.acts(() => reza.person.start())
  for (const forged of [
    data[0] ?? '',
    `go:${s}:0`,
    `pause:${s}`,
    `review:${s}:0`,
    `submit:${s}`,
    `retry:${s}`,
    `open:${s}`,
    `begin:${s}`,
    `refresh:${s}`,
    `result:${s}`,
  ]) {
    await reza.forges(forged)
    const told = `${reza.heard} ${reza.person.toasts.at(-1) ?? ''}`
    expect(told, forged).toMatch(new RegExp(`${word('button-old')}|${word('invitation-used')}`))
    expect(reza.person.transcript(), forged).not.toContain('حال این دو هفته')
    expect(reza.person.transcript(), forged).not.toContain('دلم گرفته')
  }
  expect(sara.question).toMatchObject({ position: 1, revision: '1' })
  await sara.forges(data[2] ?? '', message)
  expect(sara.question.position).toBe(2)
})

story('a tap after sending is told that answers can no longer be changed', async ({ meet }) => {
  const sara = await meet(mood)
  const { s } = sara.question
  await sara.walksTo('review')
  const review = sara.person.last
  sara.world.sandbox.fault({ kind: 'slow', ms: 1_000, path: 'record/[^/]+/$' })
  sara.person.tap(/^submit:/)
  await eventually(() => expect(sara.calls).toContain('submit'))
  await sara.forges(`a:${s}:0:3:8`, review)
  expect(sara.person.toasts).toContain(word('toast-already-sent'))
  expect(sara.submissions.filter(({ accepted }) => accepted)).toHaveLength(1)
})

story('buttons of a finished test lead to its result', async ({ meet }) => {
  const sara = await meet(mood)
  const { data, message } = sara.question
  await sara.walksTo('review')
  const review = sara.person.last
  await sara.taps(/^submit:/)
  const { calls } = sara
  await sara.forges(data[0] ?? '', message)
  await sara.forges(`submit:${sara.buttons[0] ?? ''}`, review)
  await sara.taps(/^result:/).catch(() => undefined)
  expect(sara.submissions).toHaveLength(1)
  expect(sara.calls.filter((call) => call === 'submit')).toHaveLength(1)
  expect(calls).toContain('submit')
})

story(
  'an answer that Telegram delivers again after the end gets an alert, and no message',
  async ({ meet }) => {
    const sara = await meet(mood)
    const { data, message } = sara.question
    await sara.walksTo('review')
    await sara.taps(/^submit:/)
    expect(sara.files).toHaveLength(2)
    for (const again of [data[0] ?? '', data[0] ?? '', data[2] ?? '']) await sara.forges(again, message)
    expect(sara.heard).toBe('')
    expect(sara.person.answers.slice(-3)).toMatchObject(
      Array.from({ length: 3 }, () => ({ text: word('toast-already-sent'), showAlert: true })),
    )
  },
)

story('a button forged on another message does not change that message', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  const { s } = sara.question
  await sara.says('/privacy')
  const { message_id: id, text } = sara.person.last
  await sara.forges(`pause:${s}`, sara.person.last)
  expect(sara.person.messages.find(({ message_id }) => message_id === id)?.text).toBe(text)
  expect(sara.screen).not.toBe(text)
})

story(
  'an answer forged on another message counts, and leaves the text of that message in place',
  async ({ meet }) => {
    const sara = await meet(mood)
    const { s, revision } = sara.question
    await sara.says('/settings')
    const { message_id: id, text } = sara.person.last
    await sara.forges(`a:${s}:0:1:${revision}`, sara.person.last)
    expect(sara.person.messages.find(({ message_id }) => message_id === id)?.text).toBe(text)
    expect(sara.question.position).toBe(2)
  },
)
