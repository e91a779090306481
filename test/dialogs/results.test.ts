import { expect } from 'vitest'
import { eventually } from '../until.ts'
import { isPdf } from '../words.ts'
import { withChanged } from './changed-service.ts'
import { knownPerson, shortTest } from './short-tests.ts'
import { type Meeting, type Participant, story, word } from './walk.ts'

type Meet = (meeting: Meeting) => Promise<Participant>
type Halves = { json: unknown; html: unknown }

/** A participant who has sent all answers to a service with this result. */
async function withResult(meet: Meet, halves: () => Halves): Promise<Participant> {
  const sara = await withChanged(meet, (path, data) => {
    if (path.endsWith('/result/json/')) return halves().json
    return path.endsWith('/result/html/') ? halves().html : data
  })
  await sara.walksTo('review')
  await sara.taps(/^submit:/)
  return sara
}

const html = { html: '<p>گزارش</p>' }
const CLOSING = word('result-closing')
const REST = word('result-rest-in-report')

/** The messages of a result: pictures, texts and report. */
const sent = ({ person }: Participant) => {
  const from = person.messages.findIndex(({ photo, text = '' }) => photo || text.startsWith('نتیجهٔ آزمون'))
  const all = from < 0 ? [] : person.messages.slice(from)
  return {
    shown: all.filter(({ photo, text }) => photo || text !== undefined),
    reports: all.filter(({ document }) => document && !isPdf(document)),
    text: all.map(({ text = '' }) => text).join('\n'),
  }
}

const scale = { title: 'گرما', score: 3, percentile: 91 }

story('a result is shown in the words of the service', async ({ meet }) => {
  const scales = [{ ...scale, severity: 'moderate', polarity: 'negative', usual_range: [1, 2], max: 9 }]
  const sara = await withResult(meet, () => ({ json: { scales, advice: { today: 'بخوابید.' } }, html }))
  const { text } = sent(sara)
  expect(text).toContain('بخوابید.')
  expect(text).toContain('گرما: نمره ۳، درصدک ۹۱\n')
  expect(text).toContain('moderate')
  expect(text).not.toMatch(/معمول|مطلوب/)
})

story('a test with a very long title has its report and its PDF', async ({ meet }) => {
  const sara = await meet({ at: 'review', ...knownPerson(shortTest({ title: 'سنجش بلند '.repeat(120) })) })
  await sara.taps(/^submit:/)
  expect(sent(sara).reports).toHaveLength(1)
  expect(sara.person.messages.filter(({ document }) => document && isPdf(document))).toHaveLength(1)
})

for (const [what, json] of Object.entries({
  'eight megabytes of summary': { summary: 'این نتیجه آرام است. '.repeat(230_000) },
  '40,000 scales': { scales: Array(40_000).fill(scale), summary: 'آرام است.' },
  'one word longer than ten messages': { conclusion: 'آ'.repeat(100_000) },
})) {
  story(`${what} make at most ten messages and the report`, async ({ meet }) => {
    const sara = await withResult(meet, () => ({ json, html }))
    const { shown, reports, text } = sent(sara)
    expect(shown.length).toBeGreaterThan(5)
    expect(shown.length).toBeLessThanOrEqual(10)
    expect(reports).toHaveLength(1)
    expect(text).toContain(`${REST}\n\n${CLOSING}`)
  })
}

story('a report that is too long to be kept is delivered whole, and once', async ({ meet }) => {
  const long = { html: '<p>گزارش</p>'.repeat(200_000) }
  const sara = await withResult(meet, () => ({ json: { scales: [scale] }, html: long }))
  const { shown, reports } = sent(sara)
  expect(shown).toHaveLength(2)
  expect(reports).toHaveLength(1)
  const file = sara.world.emulator.file(reports[0]?.document?.file_id ?? '')
  expect(file?.bytes.toString()).toContain(long.html)
})

story('a result without words and report is fetched again until it has some', async ({ meet }) => {
  let halves: Halves = { json: { scales: [{ score: 3 }], summary: ' ' }, html: { html: ' ' } }
  const sara = await withResult(meet, () => halves)
  for (let tries = 0; tries < 3; tries += 1) await sara.waits(61_000)
  expect(sent(sara)).toMatchObject({ shown: [], reports: [] })
  expect(sara.chat).toContain(word('result-failed'))
  halves = { json: { scales: [scale] }, html }
  for (let tries = 0; tries < 4; tries += 1) await sara.waits(300_000)
  expect(sent(sara).reports).toHaveLength(1)
})

story(
  'many scales become several pictures, each sent once, also with a restart between two of them',
  async ({ meet }) => {
    const json = { scales: Array(30).fill(scale), summary: 'آرام است.' }
    const sara = await withChanged(meet, (path, data) => {
      if (path.endsWith('/result/json/')) return json
      return path.endsWith('/result/html/') ? html : data
    })
    await sara.walksTo('review')
    sara.world.emulator.fault({ kind: 'delay', ms: 60, method: 'sendPhoto' })
    const pictures = () => sent(sara).shown.filter(({ photo }) => photo)
    sara.person.tap(/^submit:/)
    await eventually(() => expect(pictures()).toHaveLength(1))
    await sara.meetsRestart()
    await sara.waits(1_000)
    expect(pictures().map(({ caption = '' }) => /تصویر (.) از ۳/.exec(caption)?.[1])).toEqual(['۱', '۲', '۳'])
    expect(sent(sara).reports).toHaveLength(1)
  },
)
