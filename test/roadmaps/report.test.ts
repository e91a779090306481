import { expect } from 'vitest'
import { REPORT_TRIES } from '../../src/jobs/fetch-result.ts'
import { dataOf } from '../places.ts'
import { until } from '../until.ts'
import { resultParts } from '../words.ts'
import { type Party, type Person, story, word, wordInEnglish } from './gather.ts'

const PAIR = [11, 12]
const WAIT_MS = 5 * 45_000 + 1_000

/** A couple, each with an own account, and all tests finished. */
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

/** The kinds of the parts of the result that have arrived, in order. */
const parts = (person: Person) => resultParts(person.person.messages, (text) => text.includes(`${REPORT}\n`))
const WHOLE = ['picture', 'text', 'document']

story('both accounts get the combined report once: picture, text, document', async ({ gather }) => {
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
    // The board says that the report has come, and offers it again.
    const title = person === owner ? COUPLE : 'زوج · علی'
    expect(person.board.text).toBe(word('report-there', { title }))
    expect(dataOf(person.board)).toEqual([/^result:/, /^ask:/].map((sign) => expect.stringMatching(sign)))
    expect(person.chat).toContain(word('result-closing'))
    // One picture shows the family side by side.
    expect(person.person.messages.flatMap(({ caption }) => caption ?? [])).toEqual([
      word('result-picture-caption-family', { title: 'زوج', people: 'زن (لیلا)، مرد (علی)' }),
      word('result-pdf-caption', { title: COUPLE }),
      expect.stringContaining(word('result-document-caption', { title: COUPLE })),
    ])
    // One message: the people, the difference and the advice, the rest about all, then test by test.
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

story('each account gets the report in the language of its chat', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared and finished' })
  const { owner, other } = party
  // The chosen language counts before the one of Telegram.
  for (const { person } of [owner, other]) Object.assign(person.state, { languageCode: 'en' })
  await owner.says('/help')
  await other.says('/language')
  await other.taps('lang:fa')
  await other.taps(/^generate:/)
  await party.waits(WAIT_MS)
  expect(owner.chat).toContain(wordInEnglish('roadmap-report', { title: COUPLE }))
  expect(other.chat).toContain(word('roadmap-report', { title: COUPLE }))
})

story('with RESULT_TO=organizer only the organizer gets the report', async ({ gather }) => {
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

story('with RESULT_TO=both all accounts and the organizer get the report', async ({ gather }) => {
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

story('the report goes to the receivers of the consent though RESULT_TO changes', async ({ gather }) => {
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
  'an account that blocked the bot gets the report at its next /start; the other one gets it at once',
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

story('an account that has the report is not told that it is still coming', async ({ gather }) => {
  const { owner, other, waits } = await gather({ productId: 'pair', at: 'shared and finished' })
  await owner.taps(/^generate:/)
  await owner.acts(() => owner.person.block())
  await waits(WAIT_MS)
  expect(other.reports).toHaveLength(1)
  await other.says('/tests')
  expect(other.heard).toContain(word('stage-done'))
})

story('a report that is requested again comes to that account only', async ({ gather }) => {
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

story('a bot stopped between two parts sends the rest, and no part twice', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared and finished' })
  const { owner, world, other } = party
  const all = () => [...parts(owner), ...parts(other)]
  await owner.taps(/^generate:/)
  // Telegram is slow with each part, so that the stop comes between two of them.
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

story('a report that is not available is fetched again and delivered later', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared and finished' })
  const { owner, world } = party
  await owner.taps(/^generate:/)
  world.sandbox.fault({ kind: 'status', status: 409, path: 'result/json' })
  world.sandbox.fault({ kind: 'status', status: 503, path: 'result/html', times: 3 })
  await party.waits(WAIT_MS)
  for (let tries = 0; tries < 4; tries += 1) await party.waits(61_000)
  expect(parts(owner)).toEqual(WHOLE)
})

/** The figures are missing for hours. */
async function untilGivenUp({ waits }: Party) {
  for (let tries = 0; tries < REPORT_TRIES; tries += 1) await waits(1_800_000)
}

story('without the JSON of the roadmap the picture is made from its records', async ({ gather }) => {
  const party = await gather({ productId: 'pair', at: 'shared and finished' })
  const { owner, world } = party
  await owner.taps(/^generate:/)
  world.sandbox.fault({ kind: 'status', status: 404, path: 'roadmap.*result/json', times: 99 })
  await party.waits(WAIT_MS)
  expect(parts(owner)).toEqual([])
  await untilGivenUp(party)
  // The records are read for the figures to compare, and for nothing else.
  expect(parts(owner)).toEqual(['picture', 'text', 'document'])
  expect(owner.person.messages.find(({ photo }) => photo)?.caption).toBe(
    word('result-picture-caption-family', { title: 'زوج', people: 'زن (لیلا)، مرد (علی)' }),
  )
  expect(party.calls('GET', /record.*result.json/)).toBe(2)
  expect(party.calls('GET', /record.*result.html/)).toBe(0)
})

story(
  'figures for a comparison are fetched a few times, and do not hold up the report',
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

story('an account that has the report is shown where it is while another is owed it', async ({ gather }) => {
  const { owner, other, waits } = await gather({ productId: 'pair', at: 'shared and finished' })
  await owner.taps(/^generate:/)
  await owner.acts(() => owner.person.block())
  await waits(400_000)
  expect(other.reports).toHaveLength(1)
  await other.says('نتیجه‌ام کو؟')
  expect(other.heard).not.toContain(word('result-not-yet'))
})
