import { expect } from 'vitest'
import { eventually } from '../until.ts'
import { story, withAnother, word } from './walk.ts'

story('/start loads the questions that could not be loaded before', async ({ meet }) => {
  const sara = await meet({ at: 'summary', record: { testsAuthRequired: false } })
  sara.world.sandbox.fault({ kind: 'status', status: 503, path: 'questions', times: 3 })
  await sara.taps('profile:ok')
  await sara.opens('')
  expect(sara.place).toBe('question')
})

story('the chat answers other messages while a slow call is under way', async ({ meet }) => {
  const sara = await meet({ at: 'summary', record: { testsAuthRequired: false } })
  sara.world.sandbox.fault({ kind: 'slow', ms: 1_500, path: 'auth/$' })
  sara.person.tap('profile:ok')
  await eventually(() => expect(sara.calls).toContain('auth'))
  sara.person.say('/help')
  sara.person.start(sara.payload)
  sara.person.say('چه شد؟')
  await eventually(() => {
    expect(sara.person.transcript()).toContain(word('one-moment'))
    expect(sara.heard).toContain(word('help'))
  })
  await sara.world.settled()
  expect(sara.place).toBe('question')
  expect(sara.calls.filter((call) => call === 'auth')).toHaveLength(1)
})

story('a message typed while the details are being sent is deleted with them', async ({ meet }) => {
  const sara = await meet({ at: 'summary', record: { testsAuthRequired: false } })
  sara.world.sandbox.fault({ kind: 'slow', ms: 1_000, path: 'auth/$' })
  sara.person.tap('profile:ok')
  await eventually(() => expect(sara.calls).toContain('auth'))
  await sara.says('نگار کریمی')
  expect(sara.place).toBe('question')
  expect(sara.chat).not.toContain('نگار کریمی')
})

story('/cancel while the code is being checked loses nothing', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  sara.world.sandbox.fault({ kind: 'slow', ms: 1_000, path: 'verify' })
  sara.person.say(sara.codes[0] ?? '')
  await eventually(() => expect(sara.calls).toContain('verify'))
  await sara.says('/cancel')
  // The profile exists now, so the dialog goes on with the questions and asks nothing twice.
  expect(sara.place).toBe('question')
  await sara.answers(1)
  expect(sara.question.position).toBe(2)
})

story(
  'a button that is pressed too early, while the code is being checked, answers with an alert',
  async ({ meet }) => {
    const sara = await meet({ at: 'code' })
    const asks = sara.person.last
    const held = sara.world.sandbox.fault({ kind: 'slow', ms: 600_000, path: 'verify' })
    sara.person.say(sara.codes[0] ?? '')
    await eventually(() => expect(sara.calls).toContain('verify'))
    sara.person.rawTap(asks, 'sms:again')
    const told = () => sara.person.answers.find(({ text }) => text !== undefined)
    await eventually(() => expect(told()).toBeDefined())
    expect(told()).toMatchObject({ text: word('one-moment'), showAlert: true })
    await sara.acts(() => held.end())
    expect(sara.place).toBe('question')
  },
)

story('a restart while a call is under way sends no second SMS', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  sara.world.sandbox.fault({ kind: 'slow', ms: 80, executed: true, path: 'auth/$' })
  sara.person.tap('profile:ok')
  await eventually(() => expect(sara.codes).toHaveLength(1))
  await sara.meetsRestart()
  await sara.waits(1_000)
  expect(sara.codes).toHaveLength(1)
  expect(sara.place).toBe('code')
})

story('no text of the service in a title or a reason can break a message', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  const message = 'نام <b>درست</ نیست & «ای» '.repeat(80)
  sara.world.sandbox.fault({ kind: 'status', status: 400, message, path: 'auth/$' })
  await sara.taps('profile:ok')
  expect(sara.heard).toContain('نام <b>درست</ نیست & «ای»')
  expect(sara.place).toBe('summary')
})

story(
  'an SMS code sent meanwhile leaves the newer introduction in place, and can still be typed',
  async ({ meet }) => {
    const sara = await meet({ at: 'summary' })
    const held = sara.world.sandbox.fault({ kind: 'slow', ms: 600_000, path: 'auth/$' })
    sara.person.tap('profile:ok')
    await eventually(() => expect(sara.calls).toContain('auth'))
    const next = withAnother(sara, { testId: 'sleep-20', testsAuthRequired: false })
    const isShown = () => expect(next.buttons.some((data) => data.startsWith('begin:'))).toBe(true)
    await next.acts(() => {
      next.person.start(next.payload)
      void eventually(isShown).then(held.end)
    })
    const title = 'حال این دو هفته (نمونه) · زهرا'
    expect(sara.heard).toContain(word('meanwhile', { title, state: word('stage-code') }))
    expect(next.buttons.filter((data) => data.startsWith('begin:'))).toHaveLength(1)
    await sara.taps(/^open:/)
    expect(sara.place).toBe('code')
    await sara.says(sara.codes[0] ?? '')
    expect(sara.place).toBe('question')
  },
)

story(
  'a retry turns the chat to its own test, and does not mark the question of another test as sent',
  async ({ meet }) => {
    const sara = await meet({ at: 'summary' })
    sara.world.sandbox.fault({ kind: 'status', status: 403, path: 'auth/$' })
    await sara.taps('profile:ok')
    expect(sara.place).toBe('refused')
    const failure = sara.person.last
    const retry = sara.data.find((data) => data.startsWith('retry:')) ?? ''
    const next = withAnother(sara, { testId: 'sleep-20', testsAuthRequired: false })
    await next.opens()
    await next.walksTo('gender')
    const asks = sara.person.last.message_id
    await sara.forges(retry, failure)
    expect(sara.place).toBe('code')
    const { text } = sara.person.messages.find(({ message_id: id }) => id === asks) ?? {}
    expect(text).not.toBe(word('profile-sending-sms'))
    await next.opens()
    expect(next.place).toBe('gender')
  },
)

story(
  'the mobile does not change while it is being sent: the code goes where the chat says',
  async ({ meet }) => {
    const sara = await meet({ at: 'summary' })
    sara.world.sandbox.fault({ kind: 'slow', ms: 1_000, executed: true, path: 'auth/$' })
    sara.person.tap('profile:ok')
    await eventually(() => expect(sara.calls).toContain('auth'))
    sara.person.shareContact({ phone: '989351112233' })
    await sara.world.settled()
    expect(sara.place).toBe('code')
    expect(sara.screen).not.toContain('۰۹۳۵')
    expect(sara.chat).toContain(word('one-moment'))
  },
)

story(
  'no new mobile is taken while another code is being requested, though the last one expired',
  async ({ meet }) => {
    const sara = await meet({ at: 'code' })
    await sara.waits(6 * 60_000)
    sara.world.sandbox.fault({ kind: 'slow', ms: 1_000, executed: true, path: 'auth/$' })
    sara.person.tap('sms:again')
    await eventually(() => expect(sara.calls.filter((call) => call === 'auth')).toHaveLength(2))
    await sara.says('09351112233')
    expect(sara.place).toBe('code')
    expect(sara.screen).not.toContain('۰۹۳۵')
    await sara.says(sara.codes[0] ?? '')
    expect(sara.place).toBe('question')
  },
)
