import { expect } from 'vitest'
import { DAY_MS } from '../../src/domain/durations.ts'
import { defineTest } from '../../tools/sandbox/sandbox.ts'
import { keptOf } from '../kept-entries.ts'
import { eventually } from '../until.ts'
import { resultParts } from '../words.ts'
import { type Meeting, type Participant, story, withAnother, word, wordInEnglish } from './walk.ts'

const instant = { at: 'review', record: { testsAuthRequired: false } } as const
const TEST = 'حال این دو هفته (نمونه)'
const TITLE = `${TEST} · زهرا`
const BEGINNINGS = [word, wordInEnglish].map((speak) => speak('result-title', { title: TEST }).slice(0, -2))
const isResult = (text: string) => BEGINNINGS.some((beginning) => text.startsWith(beginning))

const kinds = (messages: Participant['person']['messages']) => resultParts(messages, isResult)
/** The parts of results this person has got, in order. */
const parts = ({ person }: { person: Participant['person'] }) => kinds(person.messages)

story('a whole test with SMS and both results takes seven calls', async ({ meet }) => {
  const sara = await meet({ at: 'review' })
  await sara.taps(/^submit:/)
  expect(sara.calls).toEqual(['look', 'auth', 'verify', 'questions', 'submit', 'result', 'result'])
})

story('an old button that is pressed again and again after the end leaves one message', async ({ meet }) => {
  const sara = await meet(instant)
  const submit = sara.buttons.find((data) => data.startsWith('submit:')) ?? ''
  await sara.taps(/^submit:/)
  const before = sara.fromBot().length
  for (let time = 0; time < 3; time += 1) await sara.forges(submit)
  expect(sara.buttons.some((data) => data.startsWith('result:'))).toBe(true)
  expect(sara.fromBot()).toHaveLength(before + 1)
})

story('the result is a picture, a text with every scale, and the report as a document', async ({ meet }) => {
  const sara = await meet({ ...instant, environment: { SUPPORT_TEXT: 'اورژانس اجتماعی: ۱۲۳' } })
  await sara.taps(/^submit:/)
  expect(parts(sara)).toEqual(['picture', 'text', 'document'])
  const text = sara.person.messages.find((message) => kinds([message])[0] === 'text')
  expect(text?.text).toContain('سنگینی دل: نمره ۶، درصدک ۷۸\n')
  expect(text?.text).toContain('نیرو و حضور: نمره ۶، درصدک ۷۲\n')
  expect(text?.text).toContain(word('result-closing'))
  expect(text?.text).toContain('اورژانس اجتماعی: ۱۲۳')
  expect(text?.entities?.map(({ type }) => type)).toContain('expandable_blockquote')
  const { document, caption } = sara.person.last
  expect(document?.file_name).toMatch(/^report-PR-\d{4}-\d{5}\.html$/)
  // The closing words stand once, below the text; the "preparing" message has become the thanks.
  expect(caption).toBe(word('result-document-caption', { title: TITLE }))
  expect(sara.chat.split(word('result-closing'))).toHaveLength(2)
  expect(sara.chat).toContain(word('submit-sent', { total: 7 }))
  expect(sara.chat).not.toContain(word('submitted', { total: 7 }))
  const file = sara.world.emulator.file(document?.file_id ?? '')
  expect(file?.bytes.toString()).toMatch(/<html[^>]*dir="rtl"/)
})

story('the result also comes as a PDF for printing, with its chart and all its words', async ({ meet }) => {
  const sara = await meet(instant)
  await sara.taps(/^submit:/)
  const files = sara.person.messages.flatMap(({ document }) => document ?? [])
  expect(files.map(({ file_name: name = '' }) => name.split('.').at(-1))).toEqual(['pdf', 'html'])
  const pdf = sara.world.emulator.file(files[0]?.file_id ?? '')?.bytes.toString('latin1') ?? ''
  expect(pdf.startsWith('%PDF-1.4')).toBe(true)
  // One page of pictures and one of words; each object is where the table says.
  expect(pdf.match(/\/Type\/Page\//g)).toHaveLength(2)
  const table = pdf.slice(Number(/startxref\n(\d+)/.exec(pdf)?.[1]))
  const places = [...table.matchAll(/^(\d{10}) 00000 n/gm)].map(([, place]) => Number(place))
  expect(places.map((place) => pdf.slice(place, place + 8).split(' ')[0])).toEqual(
    places.map((_, index) => String(index + 1)),
  )
})

story('a result is sent once, and again only when it is asked for', async ({ meet }) => {
  const sara = await meet(instant)
  await sara.taps(/^submit:/)
  await sara.opens('')
  await sara.opens()
  expect(sara.place).toBe('result-ready')
  await sara.meetsRestart()
  expect(parts(sara)).toEqual(['picture', 'text', 'document'])
  await sara.taps(/^result:/)
  expect(parts(sara)).toHaveLength(6)
  expect(sara.submissions).toHaveLength(1)
})

story('a year later the link and /tests bring the result again, until /forget', async ({ meet }) => {
  const sara = await meet(instant)
  await sara.taps(/^submit:/)
  for (let year = 0; year < 4; year++) await sara.waits(100 * DAY_MS)
  await sara.opens()
  expect(sara.place).toBe('result-ready')
  await sara.taps(/^result:/)
  expect(parts(sara)).toHaveLength(6)
  await sara.waits(100 * DAY_MS)
  await sara.waits(100 * DAY_MS)
  await sara.says('/tests')
  await sara.taps(/^result:/)
  expect(parts(sara)).toHaveLength(9)
  await sara.says('/forget')
  expect(sara.heard).toContain(word('forget-finished', { count: 1 }))
  await sara.taps('forget:yes')
  await sara.says('/tests')
  expect(sara.heard).toBe(word('tests-none'))
  await sara.opens()
  expect(sara.heard).toBe(word('invitation-forgotten'))
})

story('a result that could not be fetched comes by the link once the service has it', async ({ meet }) => {
  const sara = await meet(instant)
  const fault = sara.world.sandbox.fault({ kind: 'status', status: 503, path: '/result/', times: 9_999 })
  await sara.taps(/^submit:/)
  for (let term = 0; term < 3; term++) await sara.waits(61 * DAY_MS)
  fault.end()
  await sara.opens()
  expect(sara.place).toBe('result-ready')
  await sara.taps(/^result:/)
  expect(parts(sara)).toEqual(['picture', 'text', 'document'])
})

story('a participant who blocked the bot gets each part owed once, at the next /start', async ({ meet }) => {
  const sara = await meet(instant)
  sara.person.tap(/^submit:/)
  await sara.acts(() => sara.person.block())
  await sara.waits(120_000)
  expect(parts(sara)).toEqual([])
  await sara.opens('')
  expect(parts(sara)).toEqual(['picture', 'text', 'document'])
  expect(sara.submissions).toHaveLength(1)
})

for (const [method, before] of [
  ['sendPhoto', []],
  ['sendDocument', ['picture', 'text']],
] as const) {
  story(`blocked just before ${method}, the parts that arrived are not sent again`, async ({ meet }) => {
    const sara = await meet(instant)
    const description = 'Forbidden: bot was blocked by the user'
    sara.world.emulator.fault({ kind: 'error', status: 403, description, method })
    await sara.taps(/^submit:/)
    expect(parts(sara)).toEqual(before)
    await sara.meetsRestart()
    await sara.opens('')
    expect(parts(sara)).toEqual(['picture', 'text', 'document'])
  })
}

for (const [resultTo, forParticipant] of [
  ['organizer', []],
  ['both', ['picture', 'text', 'document']],
] as const) {
  story(`RESULT_TO=${resultTo} gives the result to every organizer`, async ({ meet }) => {
    const environment = { RESULT_TO: resultTo, ORGANIZERS: '900,901' }
    const sara = await meet({ ...instant, environment })
    const { emulator } = sara.world
    const one = emulator.person({ id: 900, firstName: 'مدیر' })
    const two = emulator.person({ id: 901, firstName: 'Manager', languageCode: 'en' })
    await sara.acts(() => {
      one.start()
      two.start()
    })
    await sara.opens()
    await sara.taps(/^submit:/)
    expect(parts(sara)).toEqual(forParticipant)
    for (const person of [one, two]) expect(parts({ person })).toEqual(['picture', 'text', 'document'])
    expect(one.transcript()).toContain('درصدک')
    expect(two.transcript()).toContain('percentile')
    if (resultTo === 'organizer') {
      expect(sara.chat).toContain(word('submitted-organizer'))
      expect(sara.heard).toContain(word('delivered-organizer'))
      expect(sara.person.transcript()).not.toContain('درصدک')
    }
    expect(sara.calls.filter((call) => call === 'result')).toHaveLength(2)
  })
}

story('RESULT_TO=participant gives no organizer any part of the result', async ({ meet }) => {
  const sara = await meet({ ...instant, environment: { RESULT_TO: 'participant', ORGANIZERS: '900' } })
  const manager = sara.world.emulator.person({ id: 900, firstName: 'مدیر' })
  await sara.acts(() => manager.start())
  await sara.opens()
  await sara.taps(/^submit:/)
  expect(parts(sara)).toEqual(['picture', 'text', 'document'])
  expect(parts({ person: manager })).toEqual([])
  expect(manager.transcript()).not.toContain('درصدک')
})

story('an organizer who blocked the bot does not keep the others from the result', async ({ meet }) => {
  const sara = await meet({ ...instant, environment: { RESULT_TO: 'both', ORGANIZERS: '900,901' } })
  const two = sara.world.emulator.person({ id: 901, firstName: 'مدیر' })
  await sara.acts(() => two.start())
  await sara.opens()
  await sara.taps(/^submit:/)
  expect(parts(sara)).toEqual(['picture', 'text', 'document'])
  expect(parts({ person: two })).toEqual(['picture', 'text', 'document'])
})

story('with RESULT_TO=organizer the participant cannot ask for the result', async ({ meet }) => {
  const sara = await meet({ ...instant, environment: { RESULT_TO: 'organizer', ORGANIZERS: '900' } })
  const manager = sara.world.emulator.person({ id: 900 })
  await sara.acts(() => manager.start())
  await sara.opens()
  const s = sara.buttons.find((data) => data.startsWith('submit:'))?.slice(7)
  await sara.taps(/^submit:/)
  await sara.opens()
  expect(sara.heard).toBe(word('delivered-organizer'))
  await sara.forges(`result:${s}`)
  expect(parts(sara)).toEqual([])
  expect(parts({ person: manager })).toHaveLength(3)
})

story('where no organizer may get results, the chat does not say that one has it', async ({ meet }) => {
  const sara = await meet({ ...instant, environment: { RESULT_TO: 'organizer', ORGANIZERS: '900:desk' } })
  await sara.acts(() => sara.world.emulator.person({ id: 900 }).start())
  await sara.taps(/^submit:/)
  await sara.opens()
  expect(sara.heard).toBe(word('submitted-organizer'))
  expect(sara.chat).not.toContain(word('delivered-organizer'))
})

story('the result of a test that is still being scored comes without being asked for', async ({ meet }) => {
  const sara = await meet({ ...instant, sandbox: { scoringSeconds: 30 } })
  await sara.taps(/^submit:/)
  expect(sara.chat).toContain(word('submitted', { total: 7 }))
  expect(parts(sara)).toEqual([])
  for (let tries = 0; tries < 6 && parts(sara).length === 0; tries++) await sara.waits(10_000)
  expect(parts(sara)).toEqual(['picture', 'text', 'document'])
  expect(sara.submissions).toHaveLength(1)
})

story('a result that is unavailable for a moment comes later', async ({ meet }) => {
  const sara = await meet(instant)
  sara.world.sandbox.fault({ kind: 'status', status: 503, path: 'result', times: 3 })
  await sara.taps(/^submit:/)
  await sara.waits(2_000)
  expect(parts(sara)).toEqual(['picture', 'text', 'document'])
})

story('a refused result is reported to participant and organizer, and can be retried', async ({ meet }) => {
  const sara = await meet({ ...instant, environment: { ORGANIZERS: '900' } })
  const manager = sara.world.emulator.person({ id: 900 })
  await sara.acts(() => manager.start())
  sara.world.sandbox.fault({
    kind: 'status',
    status: 403,
    message: 'Access denied.',
    path: 'result',
    times: 1,
  })
  await sara.opens()
  await sara.taps(/^submit:/)
  expect(sara.heard).toContain(word('result-failed'))
  expect(manager.last.text).toContain(word('notice-result', { title: TEST }))
  await sara.taps(/^retry:/)
  expect(parts(sara)).toEqual(['picture', 'text', 'document'])
})

story('participant and organizer are told of a result that stays unavailable', async ({ meet }) => {
  const sara = await meet({ ...instant, environment: { ORGANIZERS: '900' } })
  const manager = sara.world.emulator.person({ id: 900 })
  await sara.acts(() => manager.start())
  const fault = sara.world.sandbox.fault({ kind: 'status', status: 500, path: 'result', times: 9_999 })
  await sara.opens()
  await sara.taps(/^submit:/)
  const failed = () => sara.chat.split(word('result-failed')).length - 1
  const notices = () =>
    manager.messages.filter(({ text }) => text?.includes(word('notice-result', { title: TEST })))
  for (let looks = 0; looks < 20; looks++) await sara.waits(1_801_000)
  expect(failed()).toBe(1)
  expect(notices()).toHaveLength(1)
  fault.end()
  for (let looks = 0; looks < 4; looks++) await sara.waits(1_801_000)
  expect(parts(sara)).toEqual(['picture', 'text', 'document'])
})

story('a refused result leaves the question of another test in place', async ({ meet }) => {
  const sara = await meet({ ...instant, sandbox: { scoringSeconds: 60 } })
  await sara.taps(/^submit:/)
  const next = withAnother(sara, { testId: 'sleep-20', testsAuthRequired: false })
  await next.opens()
  await next.walksTo('gender')
  const asks = sara.person.last
  const refusal = { kind: 'status', status: 403, message: 'Access denied.', path: 'result' } as const
  sara.world.sandbox.fault({ ...refusal, times: 9 })
  for (let looks = 0; looks < 6 && asks === sara.person.last; looks++) await sara.waits(61_000)
  expect(sara.heard).toContain(word('result-failed'))
  await next.taps('gender:female', asks)
  expect(next.place).toBe('summary')
})

story('figures that are missing at first are fetched again', async ({ meet }) => {
  const sara = await meet(instant)
  sara.world.sandbox.fault({ kind: 'status', status: 404, path: 'result/json' })
  await sara.taps(/^submit:/)
  await sara.waits(2_000)
  expect(parts(sara)).toEqual(['picture', 'text', 'document'])
  expect(sara.chat).not.toContain(word('result-figures-missing'))
})

story('a report without figures is delivered, and participant and organizer are told', async ({ meet }) => {
  const sara = await meet({ ...instant, environment: { ORGANIZERS: '900' } })
  const manager = sara.world.emulator.person({ id: 900 })
  await sara.acts(() => manager.start())
  sara.world.sandbox.fault({ kind: 'status', status: 404, path: 'result/json', times: 99 })
  await sara.opens()
  await sara.taps(/^submit:/)
  expect(parts(sara)).toEqual([])
  for (let looks = 0; looks < 16; looks++) await sara.waits(1_800_000)
  expect(parts(sara)).toEqual(['text', 'document'])
  expect(sara.chat).toContain(word('result-figures-missing'))
  expect(manager.messages.some(({ text }) => text?.includes(word('notice-figures', { title: TEST })))).toBe(
    true,
  )
  await sara.opens()
  expect(sara.place).toBe('result-ready')
})

story('a result waits for its figures, and no empty result is delivered instead', async ({ meet }) => {
  const sara = await meet(instant)
  sara.world.sandbox.fault({ kind: 'status', status: 409, path: 'result/json', times: 20 })
  await sara.taps(/^submit:/)
  await sara.waits(61_000)
  expect(parts(sara)).toEqual([])
  for (let tries = 0; tries < 30 && parts(sara).length === 0; tries++) await sara.waits(1_801_000)
  expect(parts(sara)).toEqual(['picture', 'text', 'document'])
})

story('a very long interpretation is split, never cut off', async ({ meet }) => {
  const long = Array.from({ length: 900 }, (_, index) => `واژه${index + 1}`).join(' ')
  const wordy = defineTest({
    id: 'wordy',
    title: 'پرگو',
    about: 'نمونه',
    minutes: 1,
    answers: ['بله', 'نه'],
    sections: [{ title: 'یک', items: [['one', 'پرسش']] }],
    scales: { one: { title: 'مقیاس', tone: 'style', low: long, middle: long, high: long } },
  })
  const sara = await meet({
    at: 'review',
    sandbox: { tests: [wordy] },
    record: { testId: 'wordy', authRequired: false },
  })
  await sara.taps(/^submit:/)
  const texts = sara.person.messages.filter(({ from, text }) => from.is_bot && text?.includes('واژه'))
  expect(texts.length).toBeGreaterThan(1)
  const words = texts.flatMap(({ text = '' }) => text.match(/واژه\d+/g) ?? [])
  expect(words).toEqual(long.split(' '))
})

for (const [method, left] of [
  ['sendPhoto', ['text', 'document']],
  ['sendDocument', ['picture', 'text']],
  ['sendMessage', ['picture', 'text', 'document']],
] as const) {
  story(`a ${method} that Telegram refuses for good does not hold up the rest`, async ({ meet }) => {
    const sara = await meet(instant)
    const when = ({ text }: Record<string, unknown>) =>
      method !== 'sendMessage' || String(text).includes(word('result-title', { title: TITLE }))
    sara.world.emulator.fault({
      kind: 'error',
      status: 400,
      description: 'Bad Request: IMAGE_PROCESS_FAILED',
      method,
      when,
      times: method === 'sendDocument' ? 2 : 1,
    })
    await sara.taps(/^submit:/)
    expect(parts(sara)).toEqual(left)
    await sara.opens()
    expect(sara.place).toBe('result-ready')
  })
}

story('a restart in the middle of a delivery loses and doubles nothing', async ({ meet }) => {
  const sara = await meet(instant)
  sara.world.emulator.fault({
    kind: 'delay',
    ms: 60,
    method: 'sendMessage',
    when: ({ text }) => String(text).includes('نتیجهٔ آزمون'),
  })
  sara.person.tap(/^submit:/)
  await eventually(() => expect(parts(sara)).toContain('picture'))
  await sara.meetsRestart()
  await sara.waits(1_000)
  expect(parts(sara)).toEqual(['picture', 'text', 'document'])
})

/** A result that the participant and the organizer have, and the organizer's chat. */
async function deliveredToBoth(meet: (meeting: Meeting) => Promise<Participant>) {
  const sara = await meet({ ...instant, environment: { RESULT_TO: 'both', ORGANIZERS: '900' } })
  const manager = sara.world.emulator.person({ id: 900, firstName: 'مدیر' })
  await sara.acts(() => manager.start())
  await sara.opens()
  await sara.taps(/^submit:/)
  expect(parts({ person: manager })).toHaveLength(3)
  await sara.opens()
  return { sara, manager }
}

story('a result requested again while the service is away goes to that person only', async ({ meet }) => {
  const { sara, manager } = await deliveredToBoth(meet)
  sara.world.sandbox.fault({ kind: 'status', status: 503, path: 'result', times: 3 })
  await sara.taps(/^result:/)
  await sara.opens('')
  await sara.waits(5_000)
  await sara.waits(60_000)
  expect(parts(sara)).toHaveLength(6)
  expect(parts({ person: manager })).toHaveLength(3)
})

story(
  '/start while the first delivery is being fetched brings no part twice, not even later',
  async ({ meet }) => {
    const sara = await meet({ ...instant, environment: { RESULT_TO: 'both', ORGANIZERS: '900' } })
    const manager = sara.world.emulator.person({ id: 900, firstName: 'مدیر' })
    await sara.acts(() => manager.start())
    await sara.opens()
    sara.world.sandbox.fault({ kind: 'slow', ms: 700, path: 'result', times: 4 })
    sara.person.tap(/^submit:/)
    await eventually(() => expect(sara.calls).toContain('result'))
    await sara.acts(() => sara.person.start())
    await eventually(() => expect(parts({ person: manager })).toHaveLength(3))
    await sara.world.settled()
    await sara.opens()
    await sara.taps(/^result:/)
    expect(parts({ person: manager })).toHaveLength(3)
    expect(parts(sara)).toHaveLength(6)
  },
)

story('an organizer who starts the bot later gets the results that are owed then', async ({ meet }) => {
  const sara = await meet({ ...instant, environment: { RESULT_TO: 'organizer', ORGANIZERS: '900' } })
  await sara.taps(/^submit:/)
  expect(sara.chat).not.toContain(word('delivered-organizer'))
  const manager = sara.world.emulator.person({ id: 900, firstName: 'مدیر' })
  await sara.acts(() => manager.start())
  expect(parts({ person: manager })).toEqual(['picture', 'text', 'document'])
  await sara.acts(() => manager.start())
  expect(parts({ person: manager })).toHaveLength(3)
})

story('an organizer who has blocked the bot keeps no participant waiting', async ({ meet }) => {
  const sara = await meet({ ...instant, environment: { RESULT_TO: 'both', ORGANIZERS: '900' } })
  await sara.taps(/^submit:/)
  expect(parts(sara)).toHaveLength(3)
  await sara.says('/tests')
  expect(sara.heard).toContain(word('stage-done'))
  await sara.says('/forget')
  expect(sara.heard).not.toContain(word('forget-attempts', { count: 1 }))
  await sara.taps('forget:no')
  const manager = sara.world.emulator.person({ id: 900, firstName: 'مدیر' })
  await sara.acts(() => manager.start())
  expect(parts({ person: manager })).toHaveLength(3)
  expect(parts(sara)).toHaveLength(3)
})

story('a missing report does not hold up the rest of the result, and comes later', async ({ meet }) => {
  const sara = await meet(instant)
  sara.world.sandbox.fault({ kind: 'status', status: 409, path: 'result/html', times: 4 })
  await sara.taps(/^submit:/)
  expect(parts(sara)).toEqual(['picture', 'text'])
  for (let looks = 0; looks < 4; looks++) await sara.waits(60_000)
  expect(parts(sara)).toEqual(['picture', 'text', 'document'])
})

story('a report that the service refuses is reported to the organizer and stays owed', async ({ meet }) => {
  const sara = await meet({ ...instant, environment: { ORGANIZERS: '900' } })
  const manager = sara.world.emulator.person({ id: 900, firstName: 'مدیر' })
  await sara.acts(() => manager.start())
  await sara.opens('')
  const refusal = sara.world.sandbox.fault({ kind: 'status', status: 403, path: 'result/html', times: 100 })
  await sara.taps(/^submit:/)
  for (let looks = 0; looks < 20; looks++) await sara.waits(1_800_000)
  expect(manager.last.text).toContain(word('notice-report', { title: TEST }))
  await sara.says('/tests')
  expect(sara.heard).toContain(word('stage-scored'))
  refusal.end()
  await sara.waits(1_801_000)
  expect(parts(sara)).toEqual(['picture', 'text', 'document'])
})

story('a participant who unblocks the bot and sends no /start gets every part once', async ({ meet }) => {
  const sara = await meet(instant)
  sara.person.tap(/^submit:/)
  await sara.acts(() => sara.person.block())
  await sara.waits(120_000)
  await sara.acts(() => sara.person.unblock())
  await sara.says('/tests')
  await sara.taps(/^open:/)
  expect(parts(sara)).toHaveLength(3)
  await sara.opens('')
  await sara.waits(5_000)
  expect(parts(sara)).toHaveLength(3)
})

story('a result that an organizer has got already does not come again with /start', async ({ meet }) => {
  const sara = await meet({ ...instant, environment: { RESULT_TO: 'both', ORGANIZERS: '900' } })
  await sara.taps(/^submit:/)
  const manager = sara.world.emulator.person({ id: 900, firstName: 'مدیر' })
  await sara.acts(() => manager.say('/help'))
  await sara.opens()
  await sara.taps(/^result:/)
  expect(parts({ person: manager })).toHaveLength(3)
  await sara.acts(() => manager.start())
  await sara.waits(5_000)
  expect([parts({ person: manager }).length, parts(sara).length]).toEqual([3, 6])
})

story('a forgotten participant is owed nothing, and /start shows the welcome', async ({ meet }) => {
  const sara = await meet(instant)
  sara.person.tap(/^submit:/)
  await sara.acts(() => sara.person.block())
  await sara.waits(120_000)
  await sara.acts(() => sara.person.unblock())
  await sara.forgets()
  await sara.opens('')
  expect(sara.heard).toBe(word('welcome'))
})

story('the notices owed to an organizer do not name a forgotten participant', async ({ meet }) => {
  const sara = await meet({ ...instant, environment: { RESULT_TO: 'both', ORGANIZERS: '900' } })
  await sara.taps(/^submit:/)
  await sara.forgets()
  const manager = sara.world.emulator.person({ id: 900, firstName: 'مدیر' })
  await sara.acts(() => manager.start())
  expect(manager.transcript()).toContain(sara.token)
  expect(manager.transcript()).not.toContain('زهرا')
  expect(parts({ person: manager })).toEqual([])
  await sara.world.stop()
  expect(keptOf(sara.world, 'b')).toBe(0)
})

story(
  'an organizer may get a result weeks later, and the participant hears of it only then',
  async ({ meet }) => {
    const sara = await meet({ ...instant, environment: { RESULT_TO: 'organizer', ORGANIZERS: '900' } })
    await sara.taps(/^submit:/)
    await sara.opens()
    expect(sara.heard).toBe(word('submitted-organizer'))
    await sara.waits(2 * DAY_MS)
    await sara.waits(45 * DAY_MS)
    const manager = sara.world.emulator.person({ id: 900, firstName: 'مدیر' })
    await sara.acts(() => manager.start())
    expect(parts({ person: manager })).toHaveLength(3)
    expect(sara.chat).toContain(word('delivered-organizer'))
  },
)
