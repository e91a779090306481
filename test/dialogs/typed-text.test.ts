import { expect } from 'vitest'
import { eventually } from '../until.ts'
import { type Participant, story, withAnother, word, written, ZAHRA } from './walk.ts'

const HOUR = 3_600_000
/** For as long as it lasts. */
const DELETES_NOTHING = { kind: 'error', status: 500, method: 'deleteMessages', times: Infinity } as const

/** Whether anything that was typed, or understood of it, can be read. */
const shows = ({ chat }: Participant) => [ZAHRA.name, ZAHRA.mobile].some((secret) => chat.includes(secret))

story('what is typed during a call is deleted as well', async ({ meet }) => {
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

story('a code that is typed twice is deleted twice', async ({ meet }) => {
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

story('/cancel deletes what was typed, and the draft stays', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  await sara.says('/cancel')
  expect(sara.heard).toBe(word('cancelled'))
  expect(written(sara)).toEqual([])
  expect(shows(sara)).toBe(false)
  await sara.opens()
  expect(sara.place).toBe('summary')
  await sara.walksTo('question')
})

story('a draft that is left for another link leaves nothing in the chat', async ({ meet }) => {
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

story('a draft that is left alone leaves the chat while Telegram still lets it', async ({ meet }) => {
  const sara = await meet({ at: 'summary', environment: { REMINDER_HOURS: '' } })
  await sara.waits(45 * HOUR)
  expect(shows(sara)).toBe(true)
  await sara.waits(2 * HOUR)
  expect(written(sara)).toEqual([])
  expect(shows(sara)).toBe(false)
  await sara.opens()
  expect(sara.place).toBe('summary')
})

story('where nothing was written yet, nothing is said to be deleted', async ({ meet }) => {
  const sara = await meet({ at: 'name', environment: { REMINDER_HOURS: '' } })
  await sara.opens()
  await sara.says('/cancel')
  expect(sara.heard).toBe(word('left-aside'))
  await sara.opens()
  await sara.waits(47 * HOUR)
  expect(sara.place).toBe('name')
  // It is asked anew, and may be set aside.
  await sara.opens()
  await withAnother(sara, { testId: 'sleep-20', authRequired: false }).opens()
  expect(sara.place).toBe('introduction')
  expect(sara.chat).not.toContain(word('typed-withdrawn'))
})

story('what was written too long ago to be deleted is not said to be removed', async ({ meet }) => {
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

story('what Telegram does not delete at once is deleted once it does', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  const down = sara.world.emulator.fault(DELETES_NOTHING)
  await sara.walksTo('question')
  expect(written(sara)).toHaveLength(3)
  await sara.waits(HOUR / 4)
  down.end()
  await sara.waits(HOUR / 4)
  expect(written(sara)).toEqual([])
})

story('what waits to be deleted is deleted, also where everything is forgotten', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  const down = sara.world.emulator.fault(DELETES_NOTHING)
  await sara.walksTo('question')
  await sara.forgets()
  expect(written(sara)).toHaveLength(3)
  down.end()
  await sara.waits(HOUR / 4)
  expect(written(sara)).toEqual([])
})

story('a draft that is forgotten leaves the chat, however often Telegram refuses', async ({ meet }) => {
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

story('what was typed while the test was put aside leaves the chat with the rest', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  await sara.says('/cancel')
  await sara.says(ZAHRA.name)
  await sara.says(ZAHRA.mobile)
  await sara.says('/start')
  await sara.walksTo('question')
  expect(sara.chat).toContain(word('typed-deleted-sms'))
  expect(written(sara)).toEqual([])
})

story('a code that comes after /cancel leaves the chat', async ({ meet }) => {
  const sara = await meet({ at: 'code' })
  await sara.says('/cancel')
  await sara.says(sara.codes[0] ?? '')
  await sara.says('/start')
  await sara.walksTo('question')
  expect(written(sara)).toEqual([])
})

story('a name that was forwarded leaves the chat', async ({ meet }) => {
  const sara = await meet({ at: 'name' })
  await sara.acts(() => sara.person.say(ZAHRA.name, { isForwarded: true }))
  expect(sara.heard).toContain(word('forwarded'))
  await sara.walksTo('question')
  expect(sara.chat).toContain(word('typed-deleted-sms'))
  expect(written(sara)).toEqual([])
})

story('a mobile shared where none is asked for leaves the chat', async ({ meet }) => {
  for (const place of ['introduction', 'question'] as const) {
    const sara = await meet({ at: place })
    await sara.acts(() => sara.person.shareContact())
    if (place === 'introduction') await sara.walksTo('question')
    else await sara.walksTo('review')
    expect([place, written(sara)]).toEqual([place, []])
  }
})

story('what is typed at the introduction leaves the chat', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  await sara.says(ZAHRA.name)
  await sara.says(ZAHRA.mobile)
  await sara.walksTo('question')
  expect(written(sara)).toEqual([])
})
