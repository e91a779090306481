import { expect } from 'vitest'
import { dayTimeText } from '../../src/views/view.ts'
import { another, story, withAnother, word, wordInEnglish, ZAHRA } from '../dialogs/walk.ts'
import { isPdf, texts } from '../words.ts'
import { ORGANIZED, organizerOf } from './office.ts'

const title = 'حال این دو هفته (نمونه)'
const HOUR = 3_600_000
const stuck = word('notice-stuck', { title }).slice(0, 40)

story('a finished test makes one notice, with how it was answered and never what', async ({ meet }) => {
  const sara = await meet({ environment: ORGANIZED })
  const manager = await organizerOf(sara)
  await sara.opens(`${sara.payload}_4711`)
  await sara.walksTo('question')
  await sara.answers(1, 1, 1, 2)
  await sara.waits(2 * HOUR)
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  await sara.waits(60_000)
  expect(manager.chat.split(word('validity-run', { count: 3, usual: 4 }))).toHaveLength(2)
  expect(manager.chat).toContain(word('validity-pauses', { count: 1, usual: 1 }))
  expect(manager.chat).toContain(word('card-external-id', { id: '4711' }))
  expect(manager.chat).toContain(word('card-person', { name: ZAHRA.name }))
  expect(manager.buttons).toContain(`card:r:${sara.token}`)
  const send = manager.buttons.find((data) => data.startsWith('send:')) ?? ''
  await manager.taps(send)
  await sara.waits(10_000)
  expect(manager.fromBot().filter(({ document }) => document && !isPdf(document))).toHaveLength(1)
})

story('a participant who is stuck makes one notice after a day', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: { ...ORGANIZED, REMINDER_HOURS: '' } })
  await sara.answers(1)
  const manager = await organizerOf(sara)
  await sara.waits(23 * HOUR)
  expect(manager.chat).not.toContain(stuck)
  await sara.waits(2 * HOUR)
  expect(manager.chat.split(stuck)).toHaveLength(2)
  const s = sara.question.s
  expect(manager.data).toEqual([`nudge:r:${sara.token}`, `release:${s}`, `card:r:${sara.token}`])
  await sara.waits(49 * HOUR)
  expect(manager.chat.split(stuck)).toHaveLength(2)
})

story('notices that can wait come after the night, urgent ones at once', async ({ meet }) => {
  const sara = await meet({ environment: { ...ORGANIZED, QUIET_HOURS: '22-8' } })
  const manager = await organizerOf(sara)
  const tehran = (sara.world.now() + 3.5 * HOUR) % (24 * HOUR)
  await sara.waits((23 * HOUR - tehran + 24 * HOUR) % (24 * HOUR))
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  expect(manager.chat).not.toContain(word('validity-run', { count: 1, usual: 4 }))
  sara.world.sandbox.fault({ kind: 'status', status: 401, times: 1 })
  await sara.opens(`record_${sara.world.sandbox.addRecord({ testId: 'mood-7' })}`)
  expect(manager.screen).toBe(word('notice-key'))
  await sara.waits(10 * HOUR)
  expect(manager.chat).toContain(word('validity-run', { count: 1, usual: 4 }))
})

story(
  'many notices at once become one, with a count and a card each, in the organizer’s language',
  async ({ meet }) => {
    const sara = await meet({ environment: ORGANIZED })
    const manager = await organizerOf(sara)
    await manager.forges('lang:en')
    sara.world.holdClock()
    const tokens = Array.from({ length: 7 }, () => sara.world.sandbox.addRecord({ testId: 'mood-7' }))
    const fault = sara.world.sandbox.fault({ kind: 'status', status: 400, path: '^/record/', times: 100 })
    for (const token of tokens) await sara.opens(`record_${token}`)
    const before = manager.fromBot().length
    expect(before).toBeLessThan(6)
    await sara.waits(2 * 60_000)
    fault.end()
    expect(manager.fromBot()).toHaveLength(before + 1)
    expect(manager.chat).toContain(wordInEnglish('notice-refused', { title: '' }).split('“')[0])
    expect(manager.screen).toContain(wordInEnglish('notices-many', { count: 4 }))
    const trouble = { kind: wordInEnglish('kind-of-notice.trouble'), count: 4 }
    expect(manager.screen).toContain(wordInEnglish('notices-count', trouble))
    expect(manager.data).toEqual(tokens.slice(3).map((token) => `card:r:${token}`))
    for (const token of tokens) expect(manager.chat.split(token)).toHaveLength(2)
    // Opening a card leaves the notice in place.
    await manager.taps(`card:r:${tokens.at(-1)}`)
    expect(manager.chat).toContain(wordInEnglish('notices-many', { count: 4 }))
  },
)

story('a refused key makes one notice until it works again', async ({ meet }) => {
  const sara = await meet({ environment: ORGANIZED })
  const manager = await organizerOf(sara)
  const times = () => manager.chat.split(word('notice-key')).length - 1
  const refuse = (status: number) => sara.world.sandbox.fault({ kind: 'status', status, times: 100 })
  const first = refuse(401)
  await sara.opens()
  await sara.waits(2 * HOUR)
  await sara.taps(/^retry:/)
  expect(times()).toBe(1)
  first.end()
  await sara.taps(/^retry:/)
  expect(sara.place).toBe('introduction')
  const second = refuse(403)
  await sara.opens(`record_${sara.world.sandbox.addRecord({ testId: 'mood-7' })}`)
  expect(times()).toBe(2)
  second.end()
})

story('a kind of notice that an organizer has switched off does not come', async ({ meet }) => {
  const sara = await meet({ environment: ORGANIZED })
  const manager = await organizerOf(sara)
  await manager.says('/notices')
  expect(manager.data).toHaveLength(10)
  await manager.taps('notice:finished:off')
  expect(manager.data).toContain('notice:finished:on')
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  expect(manager.chat).not.toContain(word('validity-run', { count: 1, usual: 4 }))
})

story('only an organizer sees the switches of notices', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: ORGANIZED })
  await organizerOf(sara)
  await sara.says('/notices')
  expect(sara.heard).toContain(word('unknown-command'))
})

const told = (chat: string, key: 'notice-waiting' | 'notice-mobile-limit') =>
  chat.split(word(key, { title })).length - 1

story(
  'a test that waits for the organizer makes one notice; its card says who waits since when',
  async ({ meet }) => {
    const sara = await meet({ environment: ORGANIZED, record: { status: 0 } })
    const manager = await organizerOf(sara)
    await sara.opens(`${sara.payload}_4711`)
    expect(told(manager.chat, 'notice-waiting')).toBe(1)
    expect(manager.screen).toContain(word('card-external-id', { id: '4711' }))
    const since = dayTimeText(texts.for('fa'), sara.world.now())
    await sara.waits(2 * HOUR)
    await sara.taps(/^refresh:/)
    await another(sara).opens()
    expect(told(manager.chat, 'notice-waiting')).toBe(1)
    await manager.says(`/records ${sara.token}`)
    const waits = word('card-waits-id', { id: '4711', time: since })
    expect(manager.screen).toContain(waits)
    // A test that was opened and is closed again makes a new notice.
    sara.world.sandbox.update(sara.token, { status: 2 })
    await sara.taps(/^refresh:/)
    await manager.says(`/records ${sara.token}`)
    expect(manager.screen).not.toContain(waits)
    sara.world.sandbox.update(sara.token, { status: 0 })
    await sara.waits(HOUR)
    await sara.opens()
    expect(told(manager.chat, 'notice-waiting')).toBe(2)
  },
)

story('a participant who waits is called by the name that the service knows', async ({ meet }) => {
  const sara = await meet({ at: 'question', environment: ORGANIZED })
  const manager = await organizerOf(sara)
  sara.world.holdClock()
  const second = withAnother(sara, { testId: 'mood-7', authRequired: false, status: 0 })
  await second.opens()
  const since = dayTimeText(texts.for('fa'), sara.world.now())
  await manager.says(`/records ${second.token}`)
  expect(manager.heard).toMatch(new RegExp(`.+${word('card-waits-name', { name: '', time: since })}`))
})

story('a mobile at its limit makes one notice for each record', async ({ meet }) => {
  const sara = await meet({
    at: 'summary',
    environment: ORGANIZED,
    sandbox: { authenticationsPerMobile: 0 },
  })
  const manager = await organizerOf(sara)
  await sara.taps('profile:ok')
  expect(sara.heard).toContain(word('failure-mobile-limit'))
  expect(told(manager.chat, 'notice-mobile-limit')).toBe(1)
  expect(manager.chat).not.toContain(ZAHRA.mobile)
  await sara.waits(2 * HOUR)
  await sara.says('09351234567')
  await sara.taps('profile:ok')
  expect(sara.heard).toContain(word('failure-mobile-limit'))
  expect(told(manager.chat, 'notice-mobile-limit')).toBe(1)
})

story(
  'notices of an organizer who never started the bot come once, at their first /start',
  async ({ meet }) => {
    const sara = await meet({ at: 'review', environment: ORGANIZED })
    await sara.taps(/^submit:/)
    await sara.waits(60_000)
    const manager = await organizerOf(sara)
    const times = () => manager.chat.split(word('validity-run', { count: 1, usual: 4 })).length - 1
    expect(times()).toBe(1)
    expect(manager.chat).toContain(word('card-person', { name: ZAHRA.name }))
    await manager.opens('')
    expect(times()).toBe(1)
  },
)

story('notices of an organizer who has blocked the bot come once, at their next /start', async ({ meet }) => {
  const sara = await meet({ environment: ORGANIZED })
  const manager = await organizerOf(sara)
  manager.person.block()
  const tokens = Array.from({ length: 5 }, () => sara.world.sandbox.addRecord({ testId: 'mood-7' }))
  const fault = sara.world.sandbox.fault({ kind: 'status', status: 400, path: '^/record/', times: 100 })
  for (const token of tokens) await sara.opens(`record_${token}`)
  fault.end()
  await sara.waits(29 * 24 * HOUR)
  const before = manager.fromBot().length
  await manager.opens('')
  expect(manager.fromBot()).toHaveLength(before + 2)
  expect(manager.chat).toContain(word('notices-many', { count: 5 }))
  for (const token of tokens) expect(manager.chat.split(token)).toHaveLength(2)
  await manager.opens('')
  expect(manager.chat.split(word('notices-many', { count: 5 }))).toHaveLength(2)
})

story('a notice that waited for more than thirty days is dropped', async ({ meet }) => {
  const sara = await meet({ at: 'review', environment: ORGANIZED })
  await sara.taps(/^submit:/)
  await sara.waits(20 * 24 * HOUR)
  const later = sara.world.sandbox.addRecord({ testId: 'mood-7' })
  const fault = sara.world.sandbox.fault({ kind: 'status', status: 400, path: '^/record/', times: 100 })
  await sara.opens(`record_${later}`)
  fault.end()
  await sara.waits(11 * 24 * HOUR)
  const manager = await organizerOf(sara)
  expect(manager.chat).toContain(later)
  expect(manager.chat).not.toContain(word('validity-run', { count: 1, usual: 4 }))
})

story(
  'an organizer who comes later gets no notice about a participant forgotten meanwhile',
  async ({ meet }) => {
    const sara = await meet({ at: 'review', environment: ORGANIZED })
    await sara.taps(/^submit:/)
    await sara.waits(60_000)
    await sara.forgets()
    const manager = await organizerOf(sara)
    expect(manager.chat).not.toContain(word('validity-run', { count: 1, usual: 4 }))
    expect(manager.chat).not.toContain(ZAHRA.name)
  },
)
