import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../src/config.ts'
import { newRecordFile, type RecordFile } from '../../src/domain/record/record.ts'
import { withinBounds } from '../../src/domain/result-bounds.ts'
import { createPictures, messagesOf } from '../../src/jobs/result-parts.ts'
import { createCardRenderer } from '../../src/pictures/card-renderer.ts'
import { loadTexts } from '../../src/texts/texts.ts'
import type { Place } from './place.ts'
import { milliseconds, type Table } from './table.ts'

const SENTENCE = 'این نتیجه آرام است و جای نگرانی نیست. '
const scales = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `s${index}`,
    title: `مقیاس شمارهٔ ${index}`,
    score: index,
    percentile: index % 100,
    interpretation: SENTENCE,
  }))

/** Results that a service could send: each as the content of its `data`. */
export const LARGE: Readonly<Record<string, () => unknown>> = {
  '8 MB of summary': () => ({
    summary: SENTENCE.repeat(8_000_000 / SENTENCE.length / 2),
    scales: scales(12),
  }),
  '40,000 scales': () => ({ scales: scales(40_000), summary: SENTENCE }),
  '3,000 tests of 12 scales': () => ({
    summary: SENTENCE,
    tests: Array.from({ length: 3_000 }, (_, index) => ({
      test_title: `آزمون ${index}`,
      role_title: `نقش ${index % 7}`,
      scales: scales(12),
    })),
  }),
}

/** How long a far too large result holds the event loop, and what the bot sends for it. */
export async function measureLargeResult({ isShort }: Place): Promise<Table> {
  const rounds = isShort ? 2 : 10
  const config = { organizerName: 'سنجش', organizerContact: '@bench' } as Config // the only settings needed
  const deps = { texts: loadTexts(config), config, cards: createCardRenderer() }
  const picturesOf = createPictures(deps)
  const rows = []
  for (const [what, make] of Object.entries(LARGE)) {
    const json = JSON.stringify(make())
    const file = fileOf(what)
    let [parsing, holding, messages, pictures] = [0, 0, 0, 0]
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now()
      const data: unknown = JSON.parse(json)
      parsing = Math.max(parsing, performance.now() - startedAt)
      await sleep(20)
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      await sleep(5)
      const { value, isCut } = withinBounds(data)
      const owed = { json: value, html: '<p>', date: round, ...(isCut && { isCut: true as const }) }
      pictures = (await picturesOf(file, owed, 'fa')).length
      messages = (await messagesOf(deps, file, owed, 'fa')).length
      JSON.stringify(owed)
      await sleep(5)
      delay.disable()
      holding = Math.max(holding, delay.max / 1e6)
    }
    rows.push(
      {
        what: `${what}: the event loop is held for at most`,
        value: holding,
        show: milliseconds,
        goal: { most: 50 },
        means: `It becomes ${messages} messages and ${pictures} pictures.`,
      },
      {
        what: `${what}: JSON.parse of ${(json.length / 1e6).toFixed(1)} million letters`,
        value: parsing,
        show: milliseconds,
        means: 'Before that, and as long as it takes.',
      },
    )
  }
  return {
    title: 'A result that is far too large',
    about: `Bounded, rendered and written ${rounds} times.`,
    rows,
  }
}

/** The record or roadmap that the result belongs to. */
export function fileOf(what: string): RecordFile {
  const kind = what.includes('tests') ? 'roadmap' : 'record'
  return { ...newRecordFile({ s: what, token: what, seenAt: 0 }, kind) }
}
