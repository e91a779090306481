import { setImmediate } from 'node:timers/promises'
import { CARD_WIDTH, createCanvas, theme } from './canvas.ts'
import type { ReportLine, Sheet } from './card.ts'
import { blockOf, type Fitter } from './fit.ts'
import { createFooter, createHeader } from './frame.ts'
import { isolateLeft } from './text.ts'

type Report = Pick<Sheet, 'language' | 'title' | 'fact' | 'day' | 'note' | 'labels'> & {
  lines: readonly ReportLine[]
  /** The number of pages before, which are pictures. */
  before: number
}

const { margin, ink } = theme
/** A sheet of A4. */
const PAGE_HEIGHT = 1_527
const MOST_PAGES = 60
const WORDS = { size: 27, line: 46, ascent: 30, fill: ink } as const
const HEAD = { size: 30, line: 50, ascent: 32, weight: 'bold', fill: theme.accent } as const
const SPACE = { head: 26, words: 14 }
/** A cleaned text never needs more lines. */
const MOST_LINES = 40

type Block = { height: number; above: number } & Pick<ReturnType<typeof blockOf>, 'draw'>

/** Lays the words of a result out on sheets, as SVG pictures: no line is cut, no heading is left alone. */
export async function drawReport({ before, ...report }: Report, fitter: Fitter): Promise<string[]> {
  const { language, lines } = report
  const header = createHeader(report, fitter, CARD_WIDTH)
  const footer = createFooter(report, fitter, CARD_WIDTH, report.labels.page(MOST_PAGES, MOST_PAGES))
  const blocks: (Block & ReportLine)[] = []
  for (const line of lines) {
    await setImmediate() // measuring takes some milliseconds
    const block = blockOf(
      fitter,
      language,
      line.text,
      { ...(line.isHead ? HEAD : WORDS), ...(line.isFromLeft && { shape: isolateLeft }) },
      CARD_WIDTH - 2 * margin,
      MOST_LINES,
      true,
    )
    blocks.push({ ...line, ...block, above: line.isHead ? SPACE.head : SPACE.words })
  }
  const pages = paginate(blocks, PAGE_HEIGHT - footer.height, header.height).slice(0, MOST_PAGES)
  return pages.map((page, index) => {
    const canvas = createCanvas(language, 1)
    if (index === 0) header.draw(canvas)
    let y = index === 0 ? header.height : margin
    for (const block of page) {
      block.draw(canvas, margin, y + block.above)
      y += block.above + block.height
    }
    const total = before + pages.length
    const mark = total > 1 ? report.labels.page(before + index + 1, total) : ''
    createFooter(report, fitter, CARD_WIDTH, mark).draw(canvas, PAGE_HEIGHT - footer.height)
    return canvas.svg(PAGE_HEIGHT)
  })
}

function paginate<B extends Block & ReportLine>(blocks: readonly B[], bottom: number, first: number): B[][] {
  const pages: B[][] = [[]]
  let y = first
  for (const [index, block] of blocks.entries()) {
    const next = block.isHead ? blocks[index + 1] : undefined
    const needs = block.above + block.height + (next ? next.above + next.height : 0)
    if (y + needs > bottom && pages.at(-1)?.length) {
      pages.push([])
      y = margin
    }
    pages.at(-1)?.push(block)
    y += block.above + block.height
  }
  return pages
}
