import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { defineTest, type Sandbox } from '../../tools/sandbox/sandbox.ts'
import { isPdf } from '../words.ts'
import { knownPerson } from './short-tests.ts'
import { another, CONTACT, ORGANIZER, story, word } from './walk.ts'

story('the introduction says what the test is, who asks, and who will see the answers', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  expect(sara.screen).toContain('حال این دو هفته')
  expect(sara.screen).toContain(word('intro-greeting'))
  expect(sara.screen).toContain(word('intro-questions', { count: 7 }))
  expect(sara.screen).toContain(word('intro-minutes', { minutes: 2 }))
  expect(sara.screen).toContain(word('intro-ages', { ages: word('ages-between', { min: 14, max: 90 }) }))
  expect(sara.screen).toContain(word('intro-result-participant'))
  expect(sara.screen).toContain(word('intro-privacy', { days: 30 }))
  expect(sara.screen).toContain(word('intro-consent'))
})

for (const [resultTo, key] of [
  ['organizer', 'intro-result-organizer'],
  ['both', 'intro-result-both'],
] as const) {
  story(`with RESULT_TO=${resultTo} the consent names who gets the result`, async ({ meet }) => {
    const sara = await meet({ at: 'introduction', environment: { RESULT_TO: resultTo, ORGANIZERS: '900' } })
    expect(sara.screen).toContain(word(key))
  })
}

story('the result goes to those named in the consent, whatever RESULT_TO says later', async ({ meet }) => {
  const sara = await meet({ at: 'review', ...knownPerson(), environment: { ORGANIZERS: '900' } })
  const manager = sara.world.emulator.person({ id: 900, firstName: 'مدیر' })
  await sara.acts(() => manager.start())
  await sara.meetsRestart({ RESULT_TO: 'both' })
  await sara.taps(/^submit:/)
  expect(sara.files).toHaveLength(2)
  expect(manager.messages.filter(({ document, photo }) => photo ?? (document && !isPdf(document)))).toEqual(
    [],
  )
})

story('an introduction that named other receivers has to be read once more', async ({ meet }) => {
  const sara = await meet({ at: 'introduction', environment: { ORGANIZERS: '900' } })
  await sara.meetsRestart({ RESULT_TO: 'both' })
  await sara.taps(/^begin:/)
  expect(sara.heard).toContain(word('invitation-changed'))
  expect(sara.heard).toContain(word('intro-result-both'))
  await sara.taps(/^begin:/)
  expect(sara.place).toBe('name')
})

story('the introduction says which participants the test admits', async ({ meet }) => {
  const sara = await meet({ at: 'introduction', record: { testId: 'women-16' } })
  expect(sara.screen).toContain(word('intro-women'))
  expect(sara.screen).toContain(word('intro-ages', { ages: word('ages-between', { min: 16, max: 55 }) }))
})

story('reading the introduction again and again calls the service once', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  await sara.opens()
  await sara.opens()
  expect(sara.place).toBe('introduction')
  expect(sara.calls).toEqual(['look'])
})

story('before consent the bot only reads the record from the service', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  await sara.says('زهرا محمدی')
  expect(sara.place).toBe('introduction')
  expect(sara.calls).toEqual(['look'])
})

story('the «begin» button pressed twice begins once', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  const introduction = sara.person.last
  await sara.acts(() => {
    sara.person.tap(/^begin:/, introduction)
    sara.person.tap(/^begin:/, introduction)
  })
  expect(sara.place).toBe('name')
  await sara.walksTo('question')
  expect(sara.calls).toEqual(['look', 'auth', 'verify', 'questions'])
})

story('a test that waits for the organizer says why, and opens when it is activated', async ({ meet }) => {
  const sara = await meet({ at: 'waiting', record: { status: 0 } })
  expect(sara.screen).toContain(ORGANIZER)
  expect(sara.screen).toContain(CONTACT)
  const { length } = sara.person.messages
  await sara.taps(/^refresh:/)
  expect(sara.person.toasts.at(-1)).toBe(word('one-moment'))
  expect(sara.place).toBe('waiting')
  // The message is edited in place with the time of the last check, however often it is pressed.
  expect(sara.person.messages).toHaveLength(length)
  expect(sara.person.transcript()).toContain(word('waiting-checked', { time: '' }).slice(0, 20))
  sara.world.sandbox.update(sara.token, { status: 2 })
  await sara.taps(/^refresh:/)
  expect(sara.place).toBe('introduction')
  await sara.walksTo('question')
})

story('every account that waits for a test is told when it is opened', async ({ meet }) => {
  const sara = await meet({ at: 'waiting', record: { status: 0 } })
  const reza = another(sara)
  await reza.walksTo('waiting')
  sara.world.sandbox.update(sara.token, { status: 2 })
  for (let looks = 0; looks < 3; looks++) await sara.waits(11 * 60_000)
  for (const { chat, place } of [sara, reza]) {
    expect(chat.split(word('opened-now'))).toHaveLength(2)
    expect(place).toBe('introduction')
  }
})

story('a waiting test is also checked again by its link', async ({ meet }) => {
  const sara = await meet({ at: 'waiting', record: { status: 0 } })
  sara.world.sandbox.update(sara.token, { status: 2 })
  await sara.opens()
  expect(sara.place).toBe('introduction')
})

story('a finished test does not open again', async ({ meet }) => {
  const sara = await meet({ record: { status: 1 } })
  await sara.opens()
  expect(sara.heard).toBe(word('finished-elsewhere'))
  expect(sara.buttons).toEqual([])
})

story('an unknown test and one of another organizer get the same answer', async ({ meet }) => {
  const sara = await meet({ record: { owner: 'other' } })
  await sara.opens('record_00000000-0000-4000-8000-000000000000')
  expect(sara.heard).toBe(word('invitation-unknown'))
  await sara.opens()
  expect(sara.heard).toBe(word('invitation-unknown'))
})

for (const testsAuthRequired of [true, false]) {
  const way = testsAuthRequired ? 'with SMS' : 'without SMS'
  story(`a test of a roadmap is recognized by the refused profile, ${way}`, async ({ meet }) => {
    const sara = await meet()
    const nested = nestedRecord(sara.world.sandbox, testsAuthRequired)
    await sara.opens(`record_${nested}`)
    await sara.walksTo('summary')
    await sara.taps('profile:ok')
    expect(sara.heard).toContain(word('belongs-to-roadmap'))
    expect(sara.codes).toEqual([])
    const { calls } = sara
    await sara.opens(`record_${nested}`)
    expect(sara.heard).toBe(word('belongs-to-roadmap'))
    await sara.opens('')
    expect(sara.calls).toEqual(calls)
  })
}

story('HTML characters in a title cannot break a message', async ({ meet }) => {
  const tricky = defineTest({
    id: 'tricky',
    title: 'آزمون <b>الف</b> & «ب» { $x }',
    about: 'نمونه',
    minutes: 1,
    answers: ['<بله>', 'نه & هرگز'],
    sections: [{ title: '1 < 2', items: [['one', 'a < b && c > d?']] }],
    scales: { one: { title: '<i>', tone: 'style', low: 'کم', middle: 'میانه', high: 'زیاد' } },
  })
  const sara = await meet({
    at: 'introduction',
    sandbox: { tests: [tricky] },
    record: { testId: 'tricky', testsAuthRequired: false },
  })
  expect(sara.screen).toContain(tricky.title)
  await sara.walksTo('question')
  expect(sara.screen).toContain('a < b && c > d?')
  expect(sara.question.options).toEqual(['۱. <بله>', '۲. نه & هرگز'])
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  expect(sara.files).toHaveLength(2)
  expect(sara.world.lines.join('\n')).not.toContain('Telegram refused')
})

story('while the service is away the link can be tried again', async ({ meet }) => {
  const sara = await meet()
  sara.world.sandbox.fault({ kind: 'status', status: 503, method: 'GET', path: 'record', times: 3 })
  await sara.opens()
  expect(sara.heard).toContain(word('failure-unavailable'))
  await sara.taps(/^retry:/)
  expect(sara.place).toBe('introduction')
})

story('two people may read the introduction of one link', async ({ meet }) => {
  const sara = await meet({ at: 'introduction' })
  const reza = another(sara)
  await reza.opens()
  expect(reza.place).toBe('introduction')
})

function nestedRecord(sandbox: Sandbox, testsAuthRequired: boolean): string {
  const roadmap = sandbox.addRoadmap({ productId: 'solo', testsAuthRequired })
  const { roadmaps } = sandbox.snapshot() as { roadmaps: Record<string, { records: string[] }> }
  return roadmaps[roadmap]?.records[0] ?? ''
}

story(
  'the terms are in an expandable quotation, and the organizer’s own greeting comes first',
  async ({ meet }) => {
    const greeting = 'به مرکز ما خوش آمدید <3'
    const environment = { WELCOME_TEXT: greeting, ALLOW_BACK: 'false' }
    const sara = await meet({ at: 'introduction', environment })
    const { text = '', entities = [] } = sara.person.last
    expect(text.startsWith(`${greeting}\n\n${word('intro-greeting')}`)).toBe(true)
    const quoted = entities.find(({ type }) => type === 'expandable_blockquote')
    const terms = text.slice(quoted?.offset, (quoted?.offset ?? 0) + (quoted?.length ?? 0))
    for (const term of ['intro-no-back', 'intro-pause', 'intro-organizer-sees'] as const)
      expect(terms).toContain(word(term))
    // The notice of a finished test tells the organizers these.
    expect(terms).toContain('سرعت، وقفه‌ها، تغییرها')
    expect(terms).toContain('برای آزمون بعدی می‌ماند')
    expect(terms).not.toContain(word('intro-consent'))
  },
)

story('below the answer to a link that opens nothing stands the test under way', async ({ meet }) => {
  for (const at of ['birth', 'question'] as const) {
    const sara = await meet({ at })
    for (const link of [`record_${randomUUID()}`, 'i_abcdefghjkmn']) {
      await sara.opens(link)
      expect(sara.heard).toContain(word('invitation-unknown'))
      expect(sara.place).toBe(at)
      const { from, reply_markup: ways } = sara.person.messages.at(-1) ?? {}
      expect([from?.is_bot, ways]).toEqual([true, expect.anything()])
    }
  }
})

story(
  'a participant who has waited for more than a week is told of the opening as well',
  async ({ meet }) => {
    const sara = await meet({ record: { status: 0 } })
    await sara.opens()
    expect(sara.place).toBe('waiting')
    for (let day = 0; day < 8; day++) await sara.waits(86_400_000)
    sara.world.sandbox.update(sara.token, { status: 2 })
    for (let hour = 0; hour < 24; hour += 3) await sara.waits(3 * 3_600_000)
    expect(sara.chat).toContain(word('opened-now'))
  },
)
