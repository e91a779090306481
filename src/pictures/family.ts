import { setImmediate } from 'node:timers/promises'
import { CARD_WIDTH, type Canvas, createCanvas } from './canvas.ts'
import { HEAD, TITLE } from './chart.ts'
import type { Fitter } from './fit.ts'
import { createFooter } from './footer.ts'
import { createHeader } from './header.ts'
import { drawHill, drawMark } from './hill.ts'
import { formatNumber } from './numbers.ts'
import type { Sheet, SheetMark } from './sheet.ts'
import { isolate, isolateCode } from './text.ts'
import { theme } from './theme.ts'

/** The figures of a family: a row for each scale, a column for each person. */
export type FamilySheet = Omit<Sheet, 'fact' | 'scales'> & {
  people: readonly string[]
  tests: readonly { title: string; scales: readonly FamilyRow[] }[]
  /** There is more than is shown. */
  isCut: boolean
}
export type FamilyRow = { title: string; marks: readonly (SheetMark | undefined)[] }

/** What does not fit into this is left to the words. */
const MOST_HEIGHT = 2_000
const { margin, small, ink, muted } = theme
const CONTENT = CARD_WIDTH - 2 * margin
const LOOK = { size: small, fill: muted }
const COLUMN = { widest: 230, room: 720, gap: 12 }
const NAME = { size: 25, above: 14, line: 34, ascent: 25, most: 3, below: 10 }
const TEST = { size: 32, line: 44, above: 26, ascent: 32, below: 8 }
const HILL_HEIGHT = 56
const SCORE = { line: 36, ascent: 29, digit: 18.6 }
const ROW_GAP = 24
const BELOW_TABLE = 18

type Item = { height: number; isHead?: true; draw: (canvas: Canvas, top: number) => void }

/** Draws a family as one SVG picture: whose figures they are above the columns, tests and scales before the rows. */
export async function drawFamily(sheet: FamilySheet, fitter: Fitter): Promise<string> {
  const { language, labels, people, tests } = sheet
  const shape = (text: string) => isolate(language, text)
  const columns = measureColumns(people.length)
  const marks = tests.flatMap(({ scales }) =>
    scales.flatMap((scale) => scale.marks.flatMap((mark) => mark ?? [])),
  )
  const header = createHeader(sheet, fitter, CARD_WIDTH)
  const headStyle = { weight: 'regular', size: small, shape } as const
  const head = fitter.lines(headText(sheet, marks), headStyle, CONTENT, 3)
  const headHeight = HEAD.above + head.length * HEAD.line + HEAD.below
  const nameStyle = { weight: 'bold', size: NAME.size, shape } as const
  const names: string[][] = []
  for (const name of people) {
    await setImmediate() // measuring takes some milliseconds
    names.push(fitter.fresh(name, nameStyle, columns.width - COLUMN.gap, NAME.most))
  }
  const namesHeight = NAME.above + Math.max(...names.map(({ length }) => length)) * NAME.line + NAME.below

  const items: Item[] = []
  for (const { title, scales } of tests) {
    items.push(testItem(sheet, title, fitter))
    for (const scale of scales) {
      await setImmediate()
      items.push(rowItem(sheet, scale, fitter, columns))
    }
  }
  const footerOf = (isCut: boolean) =>
    createFooter(
      { language, note: isCut ? `${labels.rest} ${sheet.note}` : sheet.note },
      fitter,
      CARD_WIDTH,
      '',
    )
  const above = header.height + headHeight + namesHeight
  const shown = fitting(items, MOST_HEIGHT - above - BELOW_TABLE - footerOf(true).height)
  const footer = footerOf(sheet.isCut || shown.length < items.length)

  const canvas = createCanvas(language, 1)
  header.draw(canvas)
  const headTop = header.height + HEAD.above + HEAD.ascent
  for (const [index, line] of head.entries())
    canvas.text(margin, headTop + index * HEAD.line, shape(line), LOOK)
  const namesTop = header.height + headHeight + NAME.above + NAME.ascent
  const nameLook = { size: NAME.size, weight: 'bold', fill: theme.accent, align: 'middle' } as const
  for (const [person, lines] of names.entries())
    for (const [index, line] of lines.entries())
      canvas.text(columns.middle(person), namesTop + index * NAME.line, shape(line), nameLook)
  let y = above
  for (const item of shown) {
    item.draw(canvas, y)
    y += item.height
  }
  footer.draw(canvas, y + BELOW_TABLE)
  return canvas.svg(y + BELOW_TABLE + footer.height)
}

type Columns = { left: number; width: number; middle: (person: number) => number }

/** The columns of the people at the end of the lines, as wide as they can be. */
function measureColumns(people: number): Columns {
  const width = Math.min(COLUMN.widest, COLUMN.room / people)
  const left = CARD_WIDTH - margin - people * width
  return { left, width, middle: (person) => left + (person + 0.5) * width }
}

/** What the numbers mean, as far as there are such. */
function headText({ labels }: FamilySheet, marks: readonly SheetMark[]): string {
  if (!marks.some(({ percentile }) => percentile !== undefined)) return labels.score
  const hasScores = marks.some(({ score }) => score !== undefined)
  return hasScores ? `${labels.percentile} ${labels.scoreBelow}` : labels.percentile
}

function testItem({ language }: FamilySheet, title: string, fitter: Fitter): Item {
  const shape = (text: string) => isolate(language, text)
  const lines = fitter.lines(title, { weight: 'bold', size: TEST.size, shape }, CONTENT, 2)
  return {
    height: TEST.above + lines.length * TEST.line + TEST.below,
    isHead: true,
    draw(canvas, top) {
      canvas.rect(margin, top + TEST.above / 2, CONTENT, 2, theme.hairline)
      const y = top + TEST.above + TEST.ascent
      for (const [index, line] of lines.entries())
        canvas.text(margin, y + index * TEST.line, shape(line), {
          size: TEST.size,
          weight: 'bold',
          fill: ink,
        })
    },
  }
}

/** A scale: its title, and on a hill for each person where they are, with the score below. */
function rowItem(
  { language }: FamilySheet,
  { title, marks }: FamilyRow,
  fitter: Fitter,
  columns: Columns,
): Item {
  const shape = (text: string) => isolate(language, text)
  const style = { weight: 'medium', size: TITLE.size, shape } as const
  const lines = fitter.lines(title, style, columns.left - margin - COLUMN.gap, 3)
  const hill = marks.some((mark) => mark?.percentile !== undefined) ? HILL_HEIGHT : 0
  const score = marks.some((mark) => mark?.score !== undefined) ? SCORE.line : 0
  const height = Math.max(lines.length * TITLE.line, hill + score)
  return {
    height: height + ROW_GAP,
    draw(canvas, top) {
      const first = top + (height - lines.length * TITLE.line) / 2 + TITLE.ascent
      for (const [index, line] of lines.entries()) {
        const look = { size: TITLE.size, weight: 'medium', fill: ink } as const
        canvas.text(margin, first + index * TITLE.line, shape(line), look)
      }
      const cellTop = top + (height - hill - score) / 2
      for (const [person, mark] of marks.entries()) {
        if (!mark) continue
        const width = columns.width - COLUMN.gap
        const x = columns.middle(person)
        const ground = { left: x - width / 2, width, top: cellTop, height: hill }
        if (mark.percentile !== undefined) {
          drawHill(canvas, ground, mark.percentile)
          drawMark(canvas, language, ground, mark.percentile)
        }
        if (mark.score === undefined) continue
        const score = formatNumber(language, mark.score)
        // A number that is cut would be another one.
        const isTooLong = score.length * SCORE.digit > width
        const look = { size: TITLE.size, weight: 'medium', fill: ink, align: 'middle' } as const
        canvas.text(x, cellTop + hill + SCORE.ascent, isolateCode(isTooLong ? '…' : score), look)
      }
    },
  }
}

/** As much as fits, and no head without what it heads. */
function fitting(items: readonly Item[], room: number): readonly Item[] {
  let height = 0
  const end = items.findIndex((item) => {
    height += item.height
    return height > room
  })
  const shown = end === -1 ? items : items.slice(0, end)
  return shown.at(-1)?.isHead ? shown.slice(0, -1) : shown
}
