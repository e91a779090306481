import { setImmediate } from 'node:timers/promises'
import type { Language } from '../texts/languages.ts'
import { CARD_WIDTH, type Canvas, createCanvas, theme } from './canvas.ts'
import type { Sheet, SheetMark } from './card.ts'
import { HEAD, HEAD_SPACE, TITLE } from './chart.ts'
import { blockOf, type Fitter } from './fit.ts'
import { createFooter, createHeader } from './frame.ts'
import { drawHill, drawMark } from './hill.ts'
import { formatNumber, isolateCode } from './text.ts'

/** The figures of a family: a row for each scale, a column for each person. */
export type FamilySheet = Omit<Sheet, 'fact' | 'scales'> & {
  people: readonly string[]
  tests: readonly { title: string; scales: readonly FamilyRow[] }[]
  /** The result has more than is shown. */
  isCut: boolean
}
export type FamilyRow = { title: string; marks: readonly (SheetMark | undefined)[] }

/** The upper limit for the height. What does not fit is left to the text. */
const MOST_HEIGHT = 2_000
const { margin, ink } = theme
const CONTENT = CARD_WIDTH - 2 * margin
const COLUMN = { widest: 230, room: 720, gap: 12 }
const NAME = { line: 34, ascent: 25, weight: 'bold', fill: theme.accent, align: 'middle' } as const
/** The usual size, and the smallest that is readable. */
const NAME_SIZES = [25, 22] as const
const NAME_SPACE = { above: 14, below: 10 }
const MOST_NAME_LINES = 3
const TEST = { size: 32, line: 44, ascent: 32, weight: 'bold', fill: ink } as const
const TEST_SPACE = { above: 26, below: 8 }
const HILL_HEIGHT = 56
const SCORE = { line: 36, ascent: 29, digit: 18.6 }
const ROW_GAP = 24
const BELOW_TABLE = 18

type Item = { height: number; isHead?: true; draw: (canvas: Canvas, top: number) => void }

/** Draws a family as one SVG picture: people above the columns, tests and scales before the rows. */
export async function drawFamily(sheet: FamilySheet, fitter: Fitter): Promise<string> {
  const { language, labels, people, tests } = sheet
  const columns = measureColumns(people.length)
  const marks = tests.flatMap(({ scales }) =>
    scales.flatMap((scale) => scale.marks.flatMap((mark) => mark ?? [])),
  )
  const header = createHeader(sheet, fitter, CARD_WIDTH)
  const head = blockOf(fitter, language, headText(sheet, marks), HEAD, CONTENT, 3)
  const headHeight = HEAD_SPACE.above + head.height + HEAD_SPACE.below
  const names: ReturnType<typeof blockOf>[] = []
  for (const name of people) {
    await setImmediate() // measuring takes some milliseconds
    names.push(
      nameOf(fitter, language, { name, alone: aloneAmong(name, people) }, columns.width - COLUMN.gap),
    )
  }
  const namesHeight = NAME_SPACE.above + Math.max(...names.map(({ height }) => height)) + NAME_SPACE.below

  const items: Item[] = []
  for (const { title, scales } of tests) {
    items.push(testItem(sheet, title, fitter))
    for (const scale of scales) {
      await setImmediate()
      items.push(rowItem(sheet, scale, fitter, columns))
    }
  }
  const footerOf = (isCut: boolean) => {
    const hasHills = marks.some(({ percentile }) => percentile !== undefined)
    const note = [hasHills && labels.usual, isCut && labels.rest, sheet.note].filter(Boolean).join(' ')
    return createFooter({ language, note }, fitter, CARD_WIDTH)
  }
  const above = header.height + headHeight + namesHeight
  const shown = fitting(items, MOST_HEIGHT - above - BELOW_TABLE - footerOf(true).height)
  const footer = footerOf(sheet.isCut || shown.length < items.length)

  const canvas = createCanvas(language, 1)
  header.draw(canvas)
  head.draw(canvas, margin, header.height + HEAD_SPACE.above)
  const namesTop = header.height + headHeight + NAME_SPACE.above
  for (const [person, name] of names.entries()) name.draw(canvas, columns.middle(person), namesTop)
  let y = above
  for (const item of shown) {
    item.draw(canvas, y)
    y += item.height
  }
  footer.draw(canvas, y + BELOW_TABLE)
  return canvas.svg(y + BELOW_TABLE + footer.height)
}

/** A name without the role before it, unless two people share the name. */
function aloneAmong(name: string, people: readonly string[]): string {
  const [ending, alone] = /\(([^()]+)\)$/.exec(name) ?? []
  const isShared = people.filter((each) => ending !== undefined && each.endsWith(ending)).length > 1
  return isShared || alone === undefined ? name : alone
}

type Name = { name: string; alone: string }

/** A name above its column: smaller, without the role, or in parts, so that no word is torn or cut. */
function nameOf(fitter: Fitter, language: Language, { name, alone }: Name, width: number) {
  const block = (text: string, size: number) =>
    blockOf(fitter, language, text, { ...NAME, size }, width, MOST_NAME_LINES, true)
  const [large, small] = NAME_SIZES
  for (const [text, size] of [
    [name, large],
    [name, small],
    [alone, small],
  ] as const) {
    const drawn = block(text, size)
    if (drawn.lines.join(' ') === text) return drawn
  }
  return block(alone.replace(/[\u200c-]/g, '$& '), small)
}

type Columns = { left: number; width: number; middle: (person: number) => number }

/** The columns of the people at the end of the lines, as wide as possible. */
function measureColumns(people: number): Columns {
  const width = Math.min(COLUMN.widest, COLUMN.room / people)
  const left = CARD_WIDTH - margin - people * width
  return { left, width, middle: (person) => left + (person + 0.5) * width }
}

/** Explains the numbers that are shown. */
function headText({ labels }: FamilySheet, marks: readonly SheetMark[]): string {
  if (!marks.some(({ percentile }) => percentile !== undefined)) return labels.score
  const hasScores = marks.some(({ score }) => score !== undefined)
  return hasScores ? `${labels.percentile} ${labels.scoreBelow}` : labels.percentile
}

function testItem({ language }: FamilySheet, title: string, fitter: Fitter): Item {
  const text = blockOf(fitter, language, title, TEST, CONTENT, 2)
  return {
    height: TEST_SPACE.above + text.height + TEST_SPACE.below,
    isHead: true,
    draw(canvas, top) {
      canvas.rect(margin, top + TEST_SPACE.above / 2, CONTENT, 2, theme.hairline)
      text.draw(canvas, margin, top + TEST_SPACE.above)
    },
  }
}

/** A scale: its title, and for each person a hill with their place, with the score below. */
function rowItem({ language }: FamilySheet, row: FamilyRow, fitter: Fitter, columns: Columns): Item {
  const { title: name, marks } = row
  const title = blockOf(fitter, language, name, TITLE, columns.left - margin - COLUMN.gap, 3)
  const hill = marks.some((mark) => mark?.percentile !== undefined) ? HILL_HEIGHT : 0
  const score = marks.some((mark) => mark?.score !== undefined) ? SCORE.line : 0
  const height = Math.max(title.height, hill + score)
  const width = columns.width - COLUMN.gap
  return {
    height: height + ROW_GAP,
    draw(canvas, top) {
      title.draw(canvas, margin, top + (height - title.height) / 2)
      const cellTop = top + (height - hill - score) / 2
      for (const [person, mark] of marks.entries()) {
        if (!mark) continue
        const x = columns.middle(person)
        const ground = { left: x - width / 2, width, top: cellTop, height: hill }
        if (mark.percentile !== undefined) {
          drawHill(canvas, ground, mark.percentile)
          drawMark(canvas, ground, mark.percentile)
        }
        if (mark.score === undefined) continue
        const score = formatNumber(language, mark.score)
        // A number that is cut would be another number.
        const text = isolateCode(score.length * SCORE.digit > width ? '…' : score)
        const look = { size: TITLE.size, weight: TITLE.weight, fill: ink, align: 'middle' } as const
        canvas.text(x, cellTop + hill + SCORE.ascent, text, look)
      }
    },
  }
}

/** As many items as fit. A heading without anything below it is left out. */
function fitting(items: readonly Item[], room: number): readonly Item[] {
  let height = 0
  const end = items.findIndex((item) => {
    height += item.height
    return height > room
  })
  const shown = end === -1 ? items : items.slice(0, end)
  return shown.at(-1)?.isHead ? shown.slice(0, -1) : shown
}
