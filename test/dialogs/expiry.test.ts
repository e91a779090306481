import { expect } from 'vitest'
import { DAY_MS } from '../../src/domain/durations.ts'
import { recordFiles } from '../../src/storage/documents/kinds.ts'
import { readDocument } from '../../src/storage/documents.ts'
import { withStorage } from '../kept-entries.ts'
import { withChanged } from './changed-service.ts'
import { knownPerson, shortTest } from './short-tests.ts'
import { type Meeting, type Participant, story, word } from './walk.ts'

const title = 'حال این دو هفته (نمونه)'
const answersExpire = word('notice-answers-expire', { title, days: 14 })
const resultExpires = word('notice-result-expires', { title, days: 14 })
const others = [
  word('notice-finished', { title, validity: '' }).trim(),
  word('notice-stuck', { title }).slice(0, 20),
  word('notice-blocked', { title }).slice(0, 60),
]
const instant = { at: 'review', record: { authRequired: false }, environment: { ORGANIZERS: '900' } } as const

/** A participant, and the notices that the organizer gets from now on. */
async function withOrganizer(meet: (meeting: Meeting) => Promise<Participant>) {
  const sara = await meet(instant)
  const manager = sara.world.emulator.person({ id: 900, firstName: 'مدیر' })
  await sara.acts(() => manager.start())
  await sara.opens('')
  const before = manager.messages.length
  const told = () => manager.messages.slice(before).map(({ text }) => text)
  // Other kinds of notices have stories of their own.
  return {
    sara,
    manager,
    notices: () => told().filter((text) => !others.some((other) => text?.startsWith(other))),
  }
}

story(
  'before complete answers are deleted the organizer is warned, the participant reminded',
  async ({ meet }) => {
    const { sara, notices } = await withOrganizer(meet)
    await sara.waits(2 * DAY_MS)
    await sara.waits(73 * DAY_MS)
    expect(notices()).toEqual([])
    await sara.waits(2 * DAY_MS)
    expect(notices()).toEqual([word('notice-answers-expire', { title, days: 13 })])
    expect(sara.heard).toContain(title)
    await sara.waits(10 * DAY_MS)
    expect(notices()).toHaveLength(1)
    await sara.taps(/^open:/)
    await sara.taps(/^submit:/)
    expect(sara.submissions).toHaveLength(1)
  },
)

story('the organizer is also warned before answers expire that the service refuses', async ({ meet }) => {
  const { sara, notices } = await withOrganizer(meet)
  sara.world.sandbox.fault({ kind: 'status', status: 402, path: '/record/[^/]+/$', method: 'POST' })
  await sara.taps(/^submit:/)
  const [billing] = notices()
  expect(billing).toContain(word('notice-billing', { title }))
  await sara.waits(2 * DAY_MS)
  await sara.waits(74 * DAY_MS + 3_600_000)
  expect(notices()[1]?.slice(0, 40)).toBe(answersExpire.slice(0, 40))
})

for (const [days, what] of [
  [0, 'all of it has'],
  [3, 'the answers alone have'],
] as const)
  story(`a participant who sent answers hears that they have expired, where ${what}`, async ({ meet }) => {
    const { sara, notices } = await withOrganizer(meet)
    const fails = { path: '/record/', method: 'POST', times: 1e6 }
    const busy = sara.world.sandbox.fault({ kind: 'rate-limit', retryAfter: 1, ...fails })
    await sara.taps(/^submit:/)
    await sara.waits(days * DAY_MS)
    busy.end()
    // The bot then notes beside the answers that they may have arrived.
    sara.world.sandbox.fault({ kind: 'status', status: 500, ...fails })
    for (const more of [1, 77 - days, 11]) await sara.waits(more * DAY_MS)
    for (const more of [2, 2]) await sara.waits(more * DAY_MS)
    expect(sara.chat).toContain(word('attempt-expired'))
    expect(sara.chat).not.toContain(word('submit-refused').slice(0, 40))
    const [warned = ''] = notices().filter((text) => text?.startsWith(answersExpire.slice(0, 40)))
    expect(warned).toContain('سرویس آزمون را بررسی کنید')
  })

story('the organizer is warned of released answers that no account has taken over', async ({ meet }) => {
  const { sara, manager, notices } = await withOrganizer(meet)
  const [, s] = sara.data.find((data) => data.startsWith('submit:'))?.split(':') ?? []
  await sara.acts(() => manager.rawTap(manager.last, `release:${s}:same`))
  expect(notices()[0]).toBe(word('release-same-done', { title }))
  await sara.waits(2 * DAY_MS)
  await sara.waits(74 * DAY_MS + 3_600_000)
  expect(notices()[2]?.slice(0, 40)).toBe(answersExpire.slice(0, 40))
})

story('the organizer is warned of a result that could not be delivered', async ({ meet }) => {
  const { sara, notices } = await withOrganizer(meet)
  sara.person.tap(/^submit:/)
  await sara.acts(() => sara.person.block())
  await sara.waits(2 * DAY_MS)
  await sara.waits(74 * DAY_MS + 3_600_000)
  expect(notices().map((text) => text?.slice(0, 30))).toEqual([resultExpires.slice(0, 30)])
})

story(
  'a visit restarts the term of an owed result, and the warning still comes before its end',
  async ({ meet }) => {
    const { sara, notices } = await withOrganizer(meet)
    sara.world.sandbox.fault({ kind: 'status', status: 503, path: '/result/', times: 999 })
    await sara.taps(/^submit:/)
    await sara.waits(20 * DAY_MS)
    await sara.opens('')
    expect(sara.heard).toContain(word('result-coming'))
    await sara.waits(2 * DAY_MS)
    await sara.waits(74 * DAY_MS + 3_600_000)
    expect(notices().map((text) => text?.slice(0, 30))).toContain(resultExpires.slice(0, 30))
  },
)

story('no warning comes for a finished test', async ({ meet }) => {
  const { sara, notices } = await withOrganizer(meet)
  await sara.taps(/^submit:/)
  expect(sara.submissions).toHaveLength(1)
  for (const days of [2, 40, 34, 14]) await sara.waits(days * DAY_MS)
  expect(notices()).toEqual([])
})

/** The full name, as the record's file keeps it. */
async function keptName(sara: Participant): Promise<string | undefined> {
  const [, s = ''] = sara.buttons.find((data) => /^(?:a|submit):/.test(data))?.split(':') ?? []
  let name: string | undefined
  await withStorage(sara, async ({ store, vault }) => {
    name = (await readDocument({ store, vault }, recordFiles, s))?.shownAs
  })
  return name
}

story('the full name is deleted together with unfinished answers, and not before', async ({ meet }) => {
  const sara = await meet({ at: 'question' })
  const name = await keptName(sara)
  expect(name).toMatch(/\S \S/)
  await sara.waits(29 * DAY_MS)
  expect(await keptName(sara)).toBe(name)
  await sara.waits(2 * DAY_MS)
  expect(await keptName(sara)).toBeUndefined()
  await sara.opens('')
  expect(sara.heard).toContain(word('attempt-expired'))
  expect(sara.question.position).toBe(1)
})

story('the full name stays with complete answers, for the warning to organizers', async ({ meet }) => {
  const sara = await meet({ at: 'review' })
  const name = await keptName(sara)
  expect(name).toMatch(/\S \S/)
  await sara.waits(40 * DAY_MS)
  expect(await keptName(sara)).toBe(name)
})

story(
  'a questionnaire answered over many months, some days a month, keeps every answer',
  async ({ meet }) => {
    const sara = await meet({ at: 'question', record: { authRequired: false } })
    for (let answered = 1; answered < 7; answered++) {
      await sara.answers(1)
      await sara.waits(29 * DAY_MS)
      await sara.opens('')
      expect(sara.question.position).toBe(answered + 1)
    }
    await sara.answers(1)
    await sara.taps(/^submit:/)
    expect(sara.submissions).toHaveLength(1)
  },
)

story('answers that were all tapped over many months can be sent', async ({ meet }) => {
  const sara = await meet({ at: 'question', record: { authRequired: false } })
  for (let answered = 1; answered < 7; answered++) {
    await sara.answers(1)
    // A participant who is away is not shown the question again, as after an outage.
    for (let looks = 0; looks < 16; looks++) await sara.waits(2 * 60_000)
    for (let week = 0; week < 4; week++) await sara.waits(7 * DAY_MS)
  }
  await sara.answers(1)
  await sara.taps(/^submit:/)
  expect(sara.submissions).toHaveLength(1)
})

story('complete answers that wait for a new profile are kept as long as any others', async ({ meet }) => {
  const { sara, notices } = await withOrganizer(meet)
  sara.world.sandbox.update(sara.token, { authRequired: true })
  await sara.taps(/^submit:/)
  expect(sara.place).toBe('name')
  for (let weeks = 0; weeks < 8; weeks++) await sara.waits(10 * DAY_MS)
  expect(notices()).toHaveLength(1)
  await sara.opens('')
  await sara.walksTo('code')
  await sara.says(sara.codes[0] ?? '')
  expect(sara.submissions.filter(({ accepted }) => accepted)).toHaveLength(1)
})

story('a warning is not repeated at each visit to the answers', async ({ meet }) => {
  const { sara, notices } = await withOrganizer(meet)
  await sara.waits(2 * DAY_MS)
  await sara.waits(75 * DAY_MS)
  expect(notices()).toHaveLength(1)
  for (let visits = 0; visits < 3; visits++) {
    await sara.opens('')
    await sara.waits(2 * DAY_MS)
  }
  expect(notices()).toHaveLength(1)
})

story('an organizer is warned of a result that only another organizer has not got', async ({ meet }) => {
  const sara = await meet({ ...instant, environment: { RESULT_TO: 'both', ORGANIZERS: '900,901' } })
  const two = sara.world.emulator.person({ id: 901, firstName: 'مدیر' })
  await sara.acts(() => two.start())
  await sara.opens('')
  await sara.taps(/^submit:/)
  await sara.waits(2 * DAY_MS)
  await sara.waits(75 * DAY_MS)
  expect(two.last.text?.slice(0, 30)).toBe(resultExpires.slice(0, 30))
})

story('the last button of expired details says how to go on', async ({ meet }) => {
  const sara = await meet({ at: 'summary' })
  await sara.waits(31 * DAY_MS)
  await sara.taps('profile:ok')
  expect(sara.heard).toBe(word('invitation-closed'))
})

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

story('a test with pictures that takes many months shows them to its end', async ({ meet }) => {
  const items = Array.from({ length: 9 }, (_, at) => ['calm', `جملهٔ ${at + 1}`] as const)
  const test = shortTest({ sections: [{ title: 'همه', items }] })
  const change = (path: string, data: { questions: object[] }) =>
    path.endsWith('/questions/')
      ? { questions: data.questions.map((each) => ({ ...each, image: PIXEL })) }
      : data
  const sara = await withChanged(meet, change, knownPerson(test))
  await sara.walksTo('question')
  for (let answered = 1; answered < 8; answered++) {
    await sara.answers(1)
    await sara.waits(28 * DAY_MS)
    const before = sara.fromBot().filter(({ photo }) => photo).length
    await sara.opens('')
    expect(sara.question.position).toBe(answered + 1)
    expect(sara.fromBot().filter(({ photo }) => photo).length).toBeGreaterThan(before)
  }
})
