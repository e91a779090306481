import { expect } from 'vitest'
import type { Fault } from '../../tools/emulator/emulator.ts'
import { eventually, until } from '../until.ts'
import { knownPerson } from './short-tests.ts'
import { type Participant, storyOverSockets as story, word, ZAHRA } from './walk.ts'

/** Delay before a message is handled again after a passing failure. */
const AGAIN_MS = 8_000

const accepted = ({ submissions }: Participant) => submissions.filter((each) => each.accepted)
/** How many messages of the bot contain this text. */
const times = ({ person }: Participant, text: string) =>
  person.messages.filter((each) => each.from.is_bot && each.text?.includes(text)).length

/** The data of an answer to the question that comes `ahead` after the one shown. */
function answerAhead({ question }: Participant, ahead: number, option = 0): string {
  const revision = Number.parseInt(question.revision, 36) + ahead
  return `a:${question.s}:${question.position - 1 + ahead}:${option}:${revision.toString(36)}`
}

const failures: Record<string, Fault> = {
  'refused with 500': { kind: 'error', status: 500 },
  'answered by a proxy with 502': { kind: 'html' },
  cut: { kind: 'cut' },
}

story('an edit that is refused with 429 is repeated after the wait', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  const fault = sara.world.emulator.fault({ kind: 'flood', method: 'editMessageText' })
  await sara.answers(1)
  expect(fault.hits).toBe(1)
  expect(sara.question.position).toBe(2)
})

story('a message that is refused with 429 waits and is sent once', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  const fault = sara.world.emulator.fault({ kind: 'flood', method: 'sendMessage' })
  await sara.says(ZAHRA.name)
  expect(fault.hits).toBe(1)
  expect(sara.place).toBe('birth')
  expect(times(sara, word('birth-ask'))).toBe(1)
})

for (const [what, fault] of Object.entries(failures)) {
  story(
    `a question whose edit is ${what} after it was done does not replace the next question`,
    async ({ meet }) => {
      const sara = await meet({ at: 'question' })
      await sara.answers(0, 1, 2)
      const { person, world } = sara
      world.emulator.fault({ ...fault, executed: true, method: 'editMessageText' } as Fault)
      await sara.acts(async () => {
        person.tap(/^go:/)
        await until(() => sara.question.position === 3)
        person.tap(/^a:/)
      })
      expect(sara.question.position).toBe(4)
    },
  )

  for (const executed of [false, true]) {
    const when = executed ? 'after it was done' : 'before it was done'
    story(`an edit ${what} ${when} is repeated`, async ({ meet }) => {
      const sara = await meet({ at: 'question' })
      sara.world.emulator.fault({ ...fault, executed, method: 'editMessageText' } as Fault)
      await sara.answers(1)
      expect(sara.question.position).toBe(2)
      expect(times(sara, sara.question.text)).toBe(1)
    })

    story(`a message ${what} ${when} is not lost`, async ({ meet }) => {
      const sara = await meet({ at: 'name' })
      sara.world.emulator.fault({ ...fault, executed, method: 'sendMessage' } as Fault)
      await sara.says(ZAHRA.name)
      await sara.waits(AGAIN_MS)
      expect(sara.place).toBe('birth')
      expect(times(sara, word('birth-ask'))).toBe(executed ? 2 : 1)
      await sara.walksTo('question')
      expect(sara.codes).toHaveLength(1)
    })
  }
}

story('a confirmation is not sent again when the message after it fails', async ({ meet }) => {
  const sara = await meet({ at: 'mobile' })
  let sends = 0
  sara.world.emulator.fault({
    kind: 'error',
    status: 500,
    method: 'sendMessage',
    times: 3,
    when: () => ++sends > 1,
  })
  await sara.says(ZAHRA.mobile)
  for (let tries = 0; tries < 8 && sara.place !== 'summary'; tries++) await sara.waits(AGAIN_MS)
  expect(sara.place).toBe('summary')
  expect(times(sara, word('keyboard-away'))).toBe(1)
})

story('chats that Telegram holds back do not delay other chats', async ({ meet }) => {
  const sara = await meet()
  const held = new Set<number>()
  sara.world.emulator.fault({
    kind: 'flood',
    retryAfter: 55,
    method: 'sendMessage',
    times: 9_999,
    when: ({ chat_id: id }: { chat_id?: unknown }) => held.has(Number(id)),
  })
  for (let number = 0; number < 40; number++) {
    const other = sara.world.emulator.person({ firstName: `نفر ${number}` })
    held.add(other.id)
    other.start()
  }
  sara.person.start(sara.payload)
  // Sooner than the 55 s for which those chats are held back.
  await until(() => sara.place === 'introduction', { timeoutMs: 50_000 })
  expect(sara.world.lines.join('')).not.toContain('message set aside')
})

story(
  'a part of the result that may have arrived is repeated at most once, the other parts are not',
  async ({ meet }) => {
    const sara = await meet({ at: 'review', ...knownPerson() })
    sara.world.emulator.fault({ kind: 'error', status: 500, method: 'sendDocument' })
    await sara.taps(/^submit:/)
    await sara.waits(AGAIN_MS)
    expect(sara.files).toHaveLength(2)
    expect(times(sara, word('result-title', { title: 'آزمون کوتاه' }))).toBe(1)
    expect(accepted(sara)).toHaveLength(1)
  },
)

story('a failed edit of the question is made up for by the chat', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  const fault = sara.world.emulator.fault({
    kind: 'error',
    status: 500,
    method: 'editMessageText',
    times: 3,
  })
  const [, second = ''] = sara.question.data
  await sara.taps(second)
  await eventually(() => expect(fault.hits).toBe(3))
  await sara.world.settled()
  expect(sara.question.position).toBe(2)
})

story('a question that cannot be rendered holds up nothing else', async ({ meet }) => {
  const sara = await meet({ at: 'question', isHasty: true })
  const method = 'editMessageText'
  const fault = sara.world.emulator.fault({
    kind: 'error',
    status: 500,
    method,
    times: Number.POSITIVE_INFINITY,
  })
  const [, second = ''] = sara.question.data
  sara.person.tap(second)
  sara.person.tap(second)
  await eventually(() => expect(fault.hits).toBeGreaterThan(3))
  await sara.says('/help')
  expect(sara.heard).toContain('/tests')
  for (let minutes = 0; minutes < 24; minutes += 1) await sara.waits(60_000)
  expect(sara.chat).not.toContain(word('trouble'))
  expect(sara.world.lines.join()).toContain('screen not rendered')
  fault.end()
  await sara.says('/start')
  expect(sara.question.position).toBe(2)
})

story('a question for which Telegram asks a long pause is rendered after it', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  sara.world.emulator.fault({ kind: 'flood', retryAfter: 65, method: 'editMessageText' })
  await sara.answers(1)
  expect(sara.question.position).toBe(1)
  await sara.waits(66_000)
  await eventually(() => expect(sara.question.position).toBe(2))
})

story('slow edits never show an earlier question after a later one', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  const first = sara.question.message
  const taps = [0, 1, 2, 3].map((ahead) => answerAhead(sara, ahead))
  sara.world.emulator.fault({ kind: 'delay', ms: 250, method: 'editMessageText' })
  const seen: number[] = []
  const watching = setInterval(() => seen.push(sara.question.position), 5)
  await sara.acts(() => {
    for (const data of taps) sara.person.rawTap(first, data)
  })
  clearInterval(watching)
  expect(sara.question.position).toBe(5)
  expect(seen).toEqual(seen.toSorted((one, other) => one - other))
})

story('a question whose message was deleted is sent again', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  const before = sara.question.message.message_id
  sara.world.emulator.fault({
    kind: 'error',
    status: 400,
    description: 'Bad Request: message to edit not found',
    method: 'editMessageText',
  })
  await sara.answers(1)
  expect(sara.question.position).toBe(2)
  expect(sara.question.message.message_id).toBeGreaterThan(before)
  await sara.answers(1, 1)
  expect(sara.question.position).toBe(4)
})

for (const refusal of ["message can't be edited", 'message to edit not found']) {
  story(`"${refusal}" at every edit does not keep a participant from finishing`, async ({ meet }) => {
    const sara = await meet({ at: 'introduction' })
    const description = `Bad Request: ${refusal}`
    sara.world.emulator.fault({ kind: 'error', status: 400, description, method: /^editMessage/, times: 100 })
    await sara.walksTo('review')
    await sara.taps(/^submit:/)
    expect(accepted(sara)).toHaveLength(1)
  })
}

story('an edit that changes nothing counts as done', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  const said = sara.person.messages.length
  sara.world.emulator.fault({
    kind: 'error',
    status: 400,
    description:
      'Bad Request: message is not modified: specified new message content and reply markup are exactly the same',
    method: 'editMessageText',
  })
  await sara.answers(1)
  expect(sara.person.messages).toHaveLength(said)
  expect(sara.world.lines.join()).not.toContain('screen not rendered')
})

story('a tap whose query is too old to be answered still counts', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  sara.world.emulator.fault({
    kind: 'error',
    status: 400,
    description: 'Bad Request: query is too old and response timeout expired or query ID is invalid',
    method: 'answerCallbackQuery',
    times: 100,
  })
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  expect(sara.files).toHaveLength(2)
  expect(sara.calls.filter((name) => name === 'auth')).toHaveLength(1)
})

story('updates that come twice are handled once', async ({ meet }) => {
  const sara = await meet()
  sara.world.emulator.fault({ kind: 'duplicate', times: 1_000 })
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  expect(sara.calls).toEqual(['look', 'auth', 'verify', 'questions', 'submit', 'result', 'result'])
  expect(sara.codes).toHaveLength(1)
  expect(times(sara, word('questions-begin'))).toBe(1)
  expect(sara.files).toHaveLength(2)
})

story('messages that come in the wrong order lose nothing', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  sara.world.emulator.fault({ kind: 'shuffle', times: 10 })
  await sara.acts(() => {
    sara.person.say(ZAHRA.name)
    sara.person.say('/help')
    sara.person.rawTap(sara.person.last, 'gender:female')
  })
  await sara.walksTo('question')
  expect(sara.calls).toEqual(['look', 'auth', 'verify', 'questions'])
})

story('messages and taps that come while Telegram is away are answered afterwards', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  const [, second = ''] = sara.question.data
  const down = sara.world.emulator.fault({ kind: 'down' })
  sara.person.tap(second)
  sara.person.say('/help')
  await until(() => sara.world.lines.some((line) => line.includes('updates not received')))
  expect(sara.question.position).toBe(1)
  down.end()
  await sara.world.settled()
  expect(sara.question.position).toBe(2)
  expect(times(sara, word('help'))).toBe(1)
})

story('a participant who blocks the bot in mid-test goes on where they stopped', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  await sara.answers(1, 1)
  await sara.acts(() => sara.person.block())
  await sara.waits(60_000)
  await sara.meetsRestart()
  await sara.acts(() => sara.person.start())
  expect(sara.question.position).toBe(3)
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  expect(accepted(sara)).toHaveLength(1)
})

story(
  'a participant who blocks the bot while the code is on its way is asked for it on coming back',
  async ({ meet }) => {
    const sara = await meet({ at: 'summary' })
    sara.world.sandbox.fault({ kind: 'slow', ms: 1_000, method: 'POST', path: '/auth/$' })
    await sara.acts(() => {
      sara.person.tap('profile:ok')
      sara.person.block()
    })
    expect(sara.codes).toHaveLength(1)
    await sara.acts(() => sara.person.start())
    expect(sara.place).toBe('code')
    await sara.walksTo('question')
    expect(sara.codes).toHaveLength(1)
  },
)

story('a deleted account does not stop the submission', async ({ meet }) => {
  const sara = await meet({ at: 'review', ...knownPerson() })
  await sara.acts(() => {
    sara.person.tap(/^submit:/)
    sara.person.deactivate()
  })
  await sara.waits(30_000)
  expect(accepted(sara)).toHaveLength(1)
  expect(sara.world.lines.join()).not.toContain('set aside')
})

story('a tap that cannot be acknowledged is handled once', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  sara.world.emulator.fault({ kind: 'error', status: 500, method: 'answerCallbackQuery', times: 3 })
  await sara.taps(/^begin:/)
  await sara.waits(9_000)
  expect(times(sara, word('name-ask'))).toBe(1)
})

story('the next question does not wait for edits and acknowledgements', async ({ meet }) => {
  const participant = await meet({ at: 'birth' })
  const { world, person } = participant
  const cosmetic = /^(?:editMessage|answerCallbackQuery)/
  const slow = world.emulator.fault({ kind: 'delay', method: cosmetic, ms: 3_000, times: Infinity })
  const from = world.emulator.calls.length
  person.rawTap(person.last, ZAHRA.birth)
  await until(() => participant.place === 'gender')
  const begun = world.emulator.calls.slice(from).filter(({ method }) => cosmetic.test(method))
  expect(begun.map(({ ok }) => ok)).toEqual([false, false])
  slow.end()
  await world.settled()
  expect(participant.chat).toContain('تولد: ۱۲ مرداد ۱۳۷۵')
})

story(
  'a confirmation whose message is gone is sent as a new one, and the next question can be answered',
  async ({ meet }) => {
    const participant = await meet({ at: 'gender' })
    const gone = { status: 400, description: 'Bad Request: message to edit not found' } as const
    participant.world.emulator.fault({ kind: 'error', method: 'editMessageText', ...gone })
    await participant.taps('gender:female')
    expect(participant.heard).toContain('جنسیت: زن')
    expect(participant.heard).toContain(word('mobile-ask').slice(0, 40))
    expect(participant.person.state.replyKeyboard).toBeDefined()
    await participant.says(ZAHRA.mobile)
    expect(participant.place).toBe('summary')
  },
)

story('a confirmation sent as a new message is sent once, though the next send fails', async ({ meet }) => {
  const participant = await meet({ at: 'gender' })
  const gone = { status: 400, description: 'Bad Request: message to edit not found', times: 2 } as const
  participant.world.emulator.fault({ kind: 'error', method: 'editMessageText', ...gone })
  participant.world.emulator.fault({ kind: 'error', method: 'sendMessage' })
  await participant.taps('gender:female')
  await until(() => participant.chat.includes(word('mobile-ask').slice(0, 40)))
  await participant.world.settled()
  expect(participant.chat.split('جنسیت: زن')).toHaveLength(2)
})

story('a confirmation sent as a new message is deleted with all that was typed', async ({ meet }) => {
  const participant = await meet({ at: 'gender' })
  const gone = { status: 400, description: 'Bad Request: message to edit not found' } as const
  participant.world.emulator.fault({ kind: 'error', method: 'editMessageText', ...gone })
  await participant.taps('gender:female')
  expect(participant.heard).toContain('جنسیت: زن')
  await participant.walksTo('question')
  expect(participant.chat).not.toContain('جنسیت: زن')
})
