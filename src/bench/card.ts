import { performance } from 'node:perf_hooks'
import { createCardRenderer } from '../report/card-renderer.ts'
import { loadTexts } from '../texts/texts.ts'
import { cardLabels } from '../views/card-labels.ts'
import { median } from './table.ts'

const ROUNDS = 15

/** Milliseconds from a result to its picture, and how many of them the event loop was busy. */
export async function drawCards(): Promise<{ totalMs: number; loopMs: number }> {
  const cards = createCardRenderer()
  const t = loadTexts().for('fa')
  const scales = Array.from({ length: 10 }, (_, index) => ({
    title: `مقیاس شمارهٔ ${index + 1} با نامی نسبتاً بلند`,
    score: 12.5 + index,
    percentile: 9 * index + 7,
  }))
  const card = {
    language: 'fa' as const,
    title: 'ده رنگ منش',
    caseNumber: 'P-10234',
    date: new Date('2026-01-05T09:00:00Z'),
    scales,
    note: t.plain('card-note'),
    labels: cardLabels(t),
  }
  const total: number[] = []
  const loop: number[] = []
  for (let round = -3; round < ROUNDS; round += 1) {
    const startedAt = performance.now()
    const before = performance.eventLoopUtilization()
    await cards.recordCards(card)
    if (round < 0) continue
    total.push(performance.now() - startedAt)
    loop.push(performance.eventLoopUtilization(before).active)
  }
  return { totalMs: median(total), loopMs: median(loop) }
}
