import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { createCardRenderer } from '../../src/pictures/card-renderer.ts'
import { loadTexts } from '../../src/texts/texts.ts'
import type { Place } from './place.ts'
import { middle, milliseconds, type Table } from './table.ts'

const WARM_ROUNDS = 3

/** The time from a result to its picture, and how much of it the event loop was busy. */
export async function measurePicture({ isShort }: Place): Promise<Table> {
  const rounds = isShort ? 3 : 40
  const cards = createCardRenderer()
  const t = loadTexts().for('fa')
  const scales = Array.from({ length: 10 }, (_, index) => ({
    title: `مقیاس شمارهٔ ${index + 1} با نامی نسبتاً بلند`,
    score: 12.5 + index,
    percentile: 9 * index + 7,
  }))
  const card = {
    t,
    title: 'ده رنگ منش',
    caseNumber: 'P-10234',
    date: new Date('2026-01-05T09:00:00Z'),
    scales,
    note: t.plain('card-note'),
  }
  const total: number[] = []
  const loop: number[] = []
  for (let round = -WARM_ROUNDS; round < rounds; round += 1) {
    const startedAt = performance.now()
    const before = performance.eventLoopUtilization()
    await cards.recordCards(card)
    if (round < 0) continue
    total.push(performance.now() - startedAt)
    loop.push(performance.eventLoopUtilization(before).active)
  }
  const pdf = await measurePdf(rounds, (lines) =>
    cards.report({ ...card, lines, pictures: [], title: card.title }),
  )
  return {
    title: 'The picture of a result',
    about: `Ten scales with long Persian names, ${rounds} times.`,
    rows: [
      {
        what: 'from data to PNG',
        ...middle(total),
        show: milliseconds,
        goal: { most: 50 },
        means: 'Rendered in a thread beside the event loop.',
      },
      {
        what: 'event loop busy',
        ...middle(loop),
        show: milliseconds,
        goal: { most: 50 },
        means: 'The part of it in which nobody else is served.',
      },
      ...pdf,
    ],
  }
}

const SENTENCE = 'این بخش از نتیجه آرام است و در پاسخ‌ها جای نگرانی چشمگیری دیده نمی‌شود. '

/** A result of ten scales and five paragraphs as a PDF. */
async function measurePdf(
  rounds: number,
  write: (lines: { text: string; isHead: boolean }[]) => Promise<Buffer>,
): Promise<Table['rows']> {
  const total: number[] = []
  let held = 0
  for (let round = -1; round < rounds; round += 1) {
    // The texts differ in every round, so that no measured line is found in a cache.
    const lines = Array.from({ length: 30 }, (_, index) => ({
      text: index % 2 === 0 ? `مقیاس ${round}-${index}` : `${round}-${index} ${SENTENCE.repeat(3)}`,
      isHead: index % 2 === 0,
    }))
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const startedAt = performance.now()
    await write(lines)
    delay.disable()
    if (round < 0) continue
    total.push(performance.now() - startedAt)
    held = Math.max(held, delay.max / 1e6)
  }
  return [
    {
      what: 'its words as a PDF',
      ...middle(total),
      show: milliseconds,
      goal: { most: 500 },
      means: 'Fifteen paragraphs under heads.',
    },
    {
      what: 'the event loop is held for at most',
      value: held,
      show: milliseconds,
      goal: { most: 50 },
      means: 'While the PDF is made.',
    },
  ]
}
