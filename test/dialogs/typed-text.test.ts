import { expect } from 'vitest'
import { eventually } from '../until.ts'
import { type Participant, story, withAnother, word, written, ZAHRA } from './walk.ts'

const HOUR = 3_600_000
/** Telegram refuses every deletion until this fault ends. */
const DELETES_NOTHING = { kind: 'error', status: 500, method: 'deleteMessages', times: Infinity } as const

/** Whether the chat still shows a typed detail. */
const shows = ({ chat }: Participant) => [ZAHRA.name, ZAHRA.mobile].some((secret) => chat.includes(secret))

story('a message typed during a call is deleted as well', async ({ meet }) => {
  const sara = await meet({ at: 'summary', record: { testsAuthRequired: false } })
  sara.world.sandbox.fault({ kind: 'slow', ms: 700, path: 'auth/$' })
  sara.world.sandbox.fault({ kind: 'slow', ms: 700, path: 'questions' })
  sara.person.tap('profile:ok')
  await eventually(() => expect(sara.calls).toContain('auth'))
  sara.person.say(ZAHRA.name)
  sara.person.shareContact()
  await eventually(() => expect(sara.calls).toContain('questions'))
  sara.person.say(ZAHRA.mobile)
  await sara.world.settled()
  expect(sara.place).toBe('question')
  expect(written(sara)).toEqual([])
  expect(shows(sara)).toBe(false)
})

story('both messages of a code that is typed twice are deleted', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  const [code = ''] = sara.codes
  sara.world.sandbox.fault({ kind: 'slow', ms: 500, path: 'verify' })
  await sara.acts(() => {
    sara.person.say(code)
    sara.person.say(code)
  })
  expect(sara.place).toBe('question')
  expect(written(sara)).toEqual([])
})

story('/cancel deletes the typed messages and keeps the draft', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  await sara.says('/cancel')
  expect(sara.heard).toBe(word('cancelled'))
  expect(written(sara)).toEqual([])
  expect(shows(sara)).toBe(false)
  await sara.opens()
  expect(sara.place).toBe('summary')
  await sara.walksTo('question')
})

story('the typed details of a draft are deleted when another link is opened', async ({ meet }) => {
  const sara = await meet({ at: 'mobile' })
  const second = withAnother(sara, { testId: 'sleep-20', authRequired: false })
  await second.opens()
  expect(second.heard).toContain(word('typed-withdrawn'))
  expect(second.place).toBe('introduction')
  expect(written(sara)).toEqual([])
  expect(shows(sara)).toBe(false)
  await sara.opens()
  expect(sara.place).toBe('mobile')
})

story('typed details of an abandoned draft are deleted while Telegram still allows it', async ({ meet }) => {
  const sara = await meet({ at: 'summary', environment: { REMINDER_HOURS: '' } })
  await sara.waits(45 * HOUR)
  expect(shows(sara)).toBe(true)
  await sara.waits(2 * HOUR)
  expect(written(sara)).toEqual([])
  expect(shows(sara)).toBe(false)
  await sara.opens()
  expect(sara.place).toBe('summary')
})

story('the bot does not claim to have deleted where nothing was typed', async ({ meet }) => {
  const sara = await meet({ at: 'name', environment: { REMINDER_HOURS: '' } })
  await sara.opens()
  await sara.says('/cancel')
  expect(sara.heard).toBe(word('left-aside'))
  await sara.opens()
  await sara.waits(47 * HOUR)
  expect(sara.place).toBe('name')
  // The name is asked again, and may be put aside.
  await sara.opens()
  await withAnother(sara, { testId: 'sleep-20', authRequired: false }).opens()
  expect(sara.place).toBe('introduction')
  expect(sara.chat).not.toContain(word('typed-withdrawn'))
})

story('the bot does not claim to have deleted messages that are too old for it', async ({ meet }) => {
  const sara = await meet({ at: 'summary', environment: { REMINDER_HOURS: '' } })
  await sara.world.stop()
  sara.world.pass(72 * HOUR)
  await sara.world.start()
  await sara.world.settled()
  expect(sara.chat).toContain(word('typed-stays'))
  expect(sara.chat).not.toContain(word('typed-withdrawn'))
  await sara.opens()
  expect(sara.place).toBe('summary')
})

story('messages that Telegram does not delete at once are deleted later', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  const down = sara.world.emulator.fault(DELETES_NOTHING)
  await sara.walksTo('question')
  expect(written(sara)).toHaveLength(3)
  await sara.waits(HOUR / 4)
  down.end()
  await sara.waits(HOUR / 4)
  expect(written(sara)).toEqual([])
})

story('messages that wait to be deleted are deleted also after /forget', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  const down = sara.world.emulator.fault(DELETES_NOTHING)
  await sara.walksTo('question')
  await sara.forgets()
  expect(written(sara)).toHaveLength(3)
  down.end()
  await sara.waits(HOUR / 4)
  expect(written(sara)).toEqual([])
})

story('after /forget the typed messages are deleted, however often Telegram refuses', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  const down = sara.world.emulator.fault(DELETES_NOTHING)
  await sara.forgets()
  expect(written(sara)).toHaveLength(2)
  await sara.waits(HOUR / 4)
  down.end()
  await sara.waits(HOUR / 4)
  expect(written(sara)).toEqual([])
  expect(shows(sara)).toBe(false)
})

story('messages typed while the test is put aside are deleted with the rest', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  await sara.says('/cancel')
  await sara.says(ZAHRA.name)
  await sara.says(ZAHRA.mobile)
  await sara.says('/start')
  await sara.walksTo('question')
  expect(sara.chat).toContain(word('typed-deleted-sms'))
  expect(written(sara)).toEqual([])
})

story('a code typed after /cancel is deleted from the chat', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  await sara.says('/cancel')
  await sara.says(sara.codes[0] ?? '')
  await sara.says('/start')
  await sara.walksTo('question')
  expect(written(sara)).toEqual([])
})

story('a forwarded name is deleted from the chat', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  await sara.acts(() => sara.person.say(ZAHRA.name, { isForwarded: true }))
  expect(sara.heard).toContain(word('forwarded'))
  await sara.walksTo('question')
  expect(sara.chat).toContain(word('typed-deleted-sms'))
  expect(written(sara)).toEqual([])
})

story('a mobile shared where none is asked for is deleted from the chat', async ({ meet }) => {
  for (const place of ['introduction', 'question'] as const) {
    const sara = await meet({ at: place })
    await sara.acts(() => sara.person.shareContact())
    if (place === 'introduction') await sara.walksTo('question')
    else await sara.walksTo('review')
    expect([place, written(sara)]).toEqual([place, []])
  }
})

story('messages typed at the introduction are deleted from the chat', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  await sara.says(ZAHRA.name)
  await sara.says(ZAHRA.mobile)
  await sara.walksTo('question')
  expect(written(sara)).toEqual([])
})
