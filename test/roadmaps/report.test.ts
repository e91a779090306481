import { expect } from 'vitest'
import { REPORT_TRIES } from '../../src/jobs/fetch-result.ts'
import { dataOf } from '../places.ts'
import { until } from '../until.ts'
import { resultParts } from '../words.ts'
import { type Party, type Person, story, word, wordInEnglish } from './gather.ts'

const PAIR = [11, 12]
const WAIT_MS = 5 * 45_000 + 1_000

/** A couple, each on an account of their own, with every test finished. */
async function couple({ owner, join }: Party): Promise<Person> {
  await owner.comesToBoard(PAIR)
  const other = join('علی')
  await other.accepts(await owner.hands(12))
  await owner.takesAll()
  await other.takesAll()
  return other
}

const COUPLE = 'زوج · لیلا، علی'
const REPORT = word('roadmap-report', { title: COUPLE })

/** The kinds of what has arrived of the result, in order. */
const parts = (person: Person) => resultParts(person.person.messages, (text) => text.includes(`${REPORT}\n`))
const WHOLE = ['picture', 'text', 'document']

story('both accounts get the combined report once: pictures, words, the document', async ({ gather }) => {
  const party = await gather({
    productId: 'pair',
    at: 'shared and finished',
    environment: { SUPPORT_TEXT: 'اورژانس اجتماعی: 123' },
  })
  const { owner, calls, other } = party
  await owner.taps(/^generate:/)
  await party.waits(WAIT_MS)
  for (const person of [owner, other]) {
    expect(parts(person)).toEqual(WHOLE)
    expect(person.reports[0]?.document?.file_name).toMatch(/^report-زوج-[\w-]{8}\.html$/)
    expect(person.chat).toContain('123')
    // What was on its way has come, and can be had again.
    const title = person === owner ? COUPLE : 'زوج · علی'
    expect(person.board.text).toBe(word('report-there', { title }))
    expect(dataOf(person.board)).toEqual([/^result:/, /^ask:/].map((sign) => expect.stringMatching(sign)))
    expect(person.chat).toContain(word('result-closing'))
    // One picture has the family side by side.
    expect(person.person.messages.flatMap(({ caption }) => caption ?? [])).toEqual([
      word('result-picture-caption-family', { title: 'زوج', people: 'زن (لیلا)، مرد (علی)' }),
      word('result-pdf-caption', { title: COUPLE }),
      expect.stringContaining(word('result-document-caption', { title: COUPLE })),
    ])
    // All of it in one message: who, the difference and what to do next, what else is said of the whole, then test by test.
    const text = person.person.messages.find((message) => message.text?.includes(`${REPORT}\n`))?.text ?? ''
    const [, said = ''] = text.split(REPORT)
    const words = [
      'زن (لیلا)، مرد (علی)',
      'پیشنهاد برای دو هفتهٔ پیش رو',
      '۲ نفر',
      'خانهٔ ما · زن',
      'خانهٔ ما · مرد',
    ]
    const places = words.map((each) => said.indexOf(each))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(text).not.toContain(word('result-rest-in-report'))
  }
  await party.restarts()
  for (const person of [owner, other]) await person.opens('')
  await party.waits(WAIT_MS)
  for (const person of [owner, other]) expect(parts(person)).toEqual(WHOLE)
  expect(calls('GET', /roadmap.*result/)).toBe(2)
  expect(calls('GET', /record.*result/)).toBe(0)
})

story('each receives it in the language of the chat', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared and finished' })
  const { owner, other } = party
  // What was chosen counts before what Telegram speaks.
  for (const { person } of [owner, other]) Object.assign(person.state, { languageCode: 'en' })
  await owner.says('/help')
  await other.says('/language')
  await other.taps('lang:fa')
  await other.taps(/^generate:/)
  await party.waits(WAIT_MS)
  expect(owner.chat).toContain(wordInEnglish('roadmap-report', { title: COUPLE }))
  expect(other.chat).toContain(word('roadmap-report', { title: COUPLE }))
})

story('with RESULT_TO=organizer only the organizer gets it', async ({ gather }) => {
  const environment = { RESULT_TO: 'organizer', ORGANIZERS: '5000000002' }
  const party = await gather({ productId: 'pair', environment })
  const { owner, join } = party
  const organizer = join('دعوت‌کننده')
  await organizer.opens('')
  const other = await couple(party)
  await owner.taps(/^generate:/)
  await party.waits(WAIT_MS)
  expect([parts(owner), parts(other), parts(organizer)]).toEqual([[], [], WHOLE])
  expect(owner.board.text).toContain(word('report-there-organizer', { title: COUPLE }))
  expect(other.board.text).toContain(word('report-there-organizer', { title: 'زوج · علی' }))
  const s = /^open:(.+)$/.exec(owner.buttons.find((data) => data.startsWith('open:')) ?? '')?.[1] ?? ''
  await owner.forges(`result:${s}`)
  expect(parts(organizer)).toEqual(WHOLE)
})

story('with RESULT_TO=both everybody gets it', async ({ gather }) => {
  const party = await gather({
    productId: 'pair',
    environment: { RESULT_TO: 'both', ORGANIZERS: '5000000002' },
  })
  const { owner, join } = party
  const organizer = join('دعوت‌کننده')
  await organizer.opens('')
  const other = await couple(party)
  await owner.taps(/^generate:/)
  await party.waits(WAIT_MS)
  expect([parts(owner), parts(other), parts(organizer)]).toEqual([WHOLE, WHOLE, WHOLE])
})

story('what all have consented to holds when RESULT_TO is another one later', async ({ gather }) => {
  const environment = { RESULT_TO: 'both', ORGANIZERS: '5000000003' }
  const party = await gather({ productId: 'pair', at: 'shared and finished', environment })
  const { owner, other, join } = party
  const organizer = join('دعوت‌کننده')
  expect(String(organizer.person.id)).toBe(environment.ORGANIZERS)
  await organizer.opens('')
  await owner.taps(/^generate:/)
  await party.waits(WAIT_MS)
  expect([parts(owner), parts(other), parts(organizer)]).toEqual([WHOLE, WHOLE, []])
})

story(
  'who has blocked the bot gets it at the next start, the other one at once and only once',
  async ({ gather }) => {
    const party = await gather({ productId: 'pair', at: 'shared and finished' })
    const { owner, other } = party
    await owner.taps(/^generate:/)
    await owner.acts(() => owner.person.block())
    await party.waits(WAIT_MS)
    expect([parts(owner), parts(other)]).toEqual([[], WHOLE])
    await other.opens('')
    expect(parts(other)).toEqual(WHOLE)
    await owner.acts(() => owner.person.unblock())
    await owner.opens('')
    await party.waits(2_000)
    expect([parts(owner), parts(other)]).toEqual([WHOLE, WHOLE])
  },
)

story('who has it is not told that it is on its way while somebody else is owed it', async ({ gather }) => {
  const { owner, other, waits } = await gather({ productId: 'pair', at: 'shared and finished' })
  await owner.taps(/^generate:/)
  await owner.acts(() => owner.person.block())
  await waits(WAIT_MS)
  expect(other.reports).toHaveLength(1)
  await other.says('/tests')
  expect(other.heard).toContain(word('stage-done'))
})

story('asked for again it comes again, to the one who asked', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared and finished' })
  const { owner, other } = party
  await owner.taps(/^generate:/)
  await party.waits(WAIT_MS)
  await other.says('/tests')
  await other.taps(/^result:/)
  expect([parts(owner), parts(other)]).toEqual([WHOLE, [...WHOLE, ...WHOLE]])
  await owner.opens()
  await owner.taps(/^result:/)
  expect([parts(owner), parts(other)]).toEqual([
    [...WHOLE, ...WHOLE],
    [...WHOLE, ...WHOLE],
  ])
})

story('a bot stopped between two parts sends the rest, and nothing twice', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared and finished' })
  const { owner, world, other } = party
  const all = () => [...parts(owner), ...parts(other)]
  await owner.taps(/^generate:/)
  // Telegram takes its time with each part, so that a stop comes between two of them.
  const slow = world.emulator.fault({ kind: 'delay', ms: 100, method: /^send/, times: 100 })
  world.pass(WAIT_MS)
  await until(() => all().length >= 2, { explain: () => owner.chat })
  await world.stop()
  expect(all().length).toBeLessThan(2 * WHOLE.length)
  slow.end()
  await world.start()
  await world.settled()
  await party.waits(2_000)
  expect([parts(owner), parts(other)]).toEqual([WHOLE, WHOLE])
})

story('while the report cannot be had it is asked for again, and delivered then', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared and finished' })
  const { owner, world } = party
  await owner.taps(/^generate:/)
  world.sandbox.fault({ kind: 'status', status: 409, path: 'result/json' })
  world.sandbox.fault({ kind: 'status', status: 503, path: 'result/html', times: 3 })
  await party.waits(WAIT_MS)
  for (let tries = 0; tries < 4; tries += 1) await party.waits(61_000)
  expect(parts(owner)).toEqual(WHOLE)
})

/** For hours the figures are not there. */
async function untilGivenUp({ waits }: Party) {
  for (let tries = 0; tries < REPORT_TRIES; tries += 1) await waits(1_800_000)
}

story('without the JSON the document is delivered, without the document the words', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared and finished' })
  const { owner, world } = party
  await owner.taps(/^generate:/)
  world.sandbox.fault({ kind: 'status', status: 404, path: 'roadmap.*result/json', times: 99 })
  await party.waits(WAIT_MS)
  expect(parts(owner)).toEqual([])
  await untilGivenUp(party)
  // The records themselves are asked for what can be compared, and for nothing else.
  expect(parts(owner)).toEqual(['picture', 'text', 'document'])
  expect(owner.person.messages.find(({ photo }) => photo)?.caption).toBe(
    word('result-picture-caption-family', { title: 'زوج', people: 'زن (لیلا)، مرد (علی)' }),
  )
  expect(party.calls('GET', /record.*result.json/)).toBe(2)
  expect(party.calls('GET', /record.*result.html/)).toBe(0)
})

story(
  'what a comparison needs is asked for a few times, and does not hold up the report',
  async ({ gather }) => {
    const party = await gather({ productId: 'pair', at: 'shared and finished' })
    const { owner, world } = party
    await owner.taps(/^generate:/)
    world.sandbox.fault({ kind: 'status', status: 404, path: 'roadmap.*result/json', times: 99 })
    world.sandbox.fault({ kind: 'status', status: 503, path: 'record.*result/json', times: 99 })
    await party.waits(WAIT_MS)
    await untilGivenUp(party)
    expect(parts(owner)).toEqual(['text', 'document'])
  },
)

story(
  'who has the report and asks for it is shown where it is while another is owed it',
  async ({ gather }) => {
    const { owner, other, waits } = await gather({ productId: 'pair', at: 'shared and finished' })
    await owner.taps(/^generate:/)
    await owner.acts(() => owner.person.block())
    await waits(400_000)
    expect(other.reports).toHaveLength(1)
    await other.says('نتیجه‌ام کو؟')
    expect(other.heard).not.toContain(word('result-not-yet'))
  },
)
