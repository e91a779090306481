import { performance } from 'node:perf_hooks'
import { createCardRenderer } from '../../src/pictures/card-renderer.ts'
import { loadTexts } from '../../src/texts/texts.ts'
import type { Place } from './place.ts'
import { middle, milliseconds, type Table } from './table.ts'

const WARM_ROUNDS = 3

/** From a result to its picture, and how long of it the event loop was busy. */
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
    ],
  }
}
