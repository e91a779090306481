import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import type { DropOff } from '../../src/domain/drop-off.ts'
import { BOARD_STAGES, type BoardStage } from '../../src/domain/record/standing.ts'
import type { FamilyCard, RecordCard } from '../../src/pictures/card.ts'
import { createCardRenderer } from '../../src/pictures/card-renderer.ts'
import type { Language } from '../../src/texts/texts.ts'
import { dropPicture, statusPicture } from '../../src/views/status.ts'
import { texts } from '../words.ts'

// `UPDATE_GOLDEN=1 npx vitest run test/pictures` draws the pictures again. Look at each before keeping it.
const isUpdate = process.env.UPDATE_GOLDEN === '1'
const folder = fileURLToPath(new URL('./golden/', import.meta.url))
/** A few pixels may differ on another processor; a changed digit changes more than this. */
const TOLERATED = 20
/** The looser limit of faint differences; a bar of another length changes thousands of pixels. */
const FAINT = { threshold: 0.1, tolerated: 500 }
const dataSets = readdirSync(folder).filter((file) => file.endsWith('.json'))

type Data<Card> = Omit<Card, 'date' | 'earlierDate' | 't'> & {
  language: Language
  date: string
  earlierDate?: string
}
type CardData = ({ kind: 'record' } & Data<RecordCard>) | ({ kind: 'family' } & Data<FamilyCard>)
type BoardData = { language: Language; date: string } & (
  | { kind: 'status'; counts: Partial<Record<BoardStage, number>> }
  | { kind: 'drop-off'; test: DropOff }
)
type DataSet = CardData | BoardData

/** A file holds the dates as texts, so they are removed here. */
const without = <D extends CardData>({ earlierDate: _, ...data }: D) => data

const countsOf = (counts: Partial<Record<BoardStage, number>>) =>
  new Map(BOARD_STAGES.map((stage) => [stage, counts[stage] ?? 0]))

async function draw(file: string) {
  const data: DataSet = JSON.parse(readFileSync(folder + file, 'utf8'))
  const renderer = createCardRenderer()
  const [t, date] = [texts.for(data.language), new Date(data.date)]
  if (data.kind === 'status') {
    const board = { counts: countsOf(data.counts), used: 412, limit: 3_000 }
    return [await renderer.bars(statusPicture(t, board, date))]
  }
  if (data.kind === 'drop-off') return [await renderer.bars(dropPicture(t, data.test, date))]
  const { earlierDate } = data
  const then = earlierDate ? { earlierDate: new Date(earlierDate) } : {}
  const rest = { ...then, date, t }
  if (data.kind === 'record') return renderer.recordCards({ ...without(data), ...rest })
  const picture = await renderer.familyCard({ ...without(data), ...rest })
  return picture ? [picture] : []
}

const goldenNames = (file: string) => {
  const stem = file.replace('.json', '')
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${stem}.`) && name.endsWith('.png'))
    .sort()
}

/** Visibly different pixels; all pixels if the sizes differ. */
function countDifferent(picture: Buffer | undefined, golden: Buffer, threshold = 0.2) {
  const actual = PNG.sync.read(picture ?? Buffer.alloc(0))
  const { width, height, data } = PNG.sync.read(golden)
  if (actual.width !== width || actual.height !== height) return width * height
  return pixelmatch(actual.data, data, undefined, width, height, { threshold })
}

test('there are sixteen hard data sets', () => {
  expect(dataSets).toHaveLength(16)
})

test.each(dataSets)('%s looks as it did', async (file) => {
  const pictures = await draw(file)
  if (isUpdate) {
    for (const name of goldenNames(file)) rmSync(folder + name)
    for (const [index, picture] of pictures.entries()) {
      writeFileSync(`${folder}${file.replace('.json', '')}.${index + 1}.png`, picture)
    }
  }
  const golden = goldenNames(file)
  expect(pictures.length).toBe(golden.length)
  expect(pictures.length).toBeGreaterThan(0)
  for (const [index, name] of golden.entries()) {
    const kept = readFileSync(folder + name)
    expect(countDifferent(pictures[index], kept), name).toBeLessThanOrEqual(TOLERATED)
    const faint = countDifferent(pictures[index], kept, FAINT.threshold)
    expect(faint, `${name}, faintly`).toBeLessThanOrEqual(FAINT.tolerated)
  }
})

test('one changed digit in a score is noticed', async () => {
  const file = '01-look.json'
  const data: DataSet = JSON.parse(readFileSync(folder + file, 'utf8'))
  if (data.kind !== 'record') throw new Error('01-look is a record')
  const scales = data.scales.map((scale, index) => (index === 0 ? { ...scale, score: 13 } : scale))
  const card = { ...without(data), scales, date: new Date(data.date), t: texts.for(data.language) }
  const [picture] = await createCardRenderer().recordCards(card)
  const golden = readFileSync(`${folder}01-look.1.png`)
  expect(countDifferent(picture, golden)).toBeGreaterThan(TOLERATED)
})
