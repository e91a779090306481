import type { Canvas } from './canvas.ts'
import type { Fitter } from './fit.ts'
import type { Sheet } from './sheet.ts'
import { isolate } from './text.ts'
import { theme } from './theme.ts'

type Footer = { height: number; draw: (canvas: Canvas, top: number) => void }

const { margin, small } = theme
const NOTE = { size: small, line: 38, ascent: 27, above: 22, below: 24, most: 5 }
const MARK_WIDTH = 250

/** The closing note and, where there are several pictures, which one this is: beside a short note, under a long one. */
export function createFooter(
  sheet: Pick<Sheet, 'language' | 'note'>,
  fitter: Fitter,
  pageWidth: number,
  mark: string,
): Footer {
  const content = pageWidth - 2 * margin
  const shape = (text: string) => isolate(sheet.language, text)
  const noteStyle = { weight: 'regular', size: NOTE.size, shape } as const
  const beside = fitter.lines(sheet.note, noteStyle, content - (mark ? MARK_WIDTH : 0), NOTE.most)
  const note = beside.length > 1 ? fitter.lines(sheet.note, noteStyle, content, NOTE.most) : beside
  const markLine = beside.length > 1 ? note.length : 0
  const lines = Math.max(note.length, mark ? markLine + 1 : 0)
  const style = { size: NOTE.size, fill: theme.muted }
  return {
    height: NOTE.above + lines * NOTE.line + NOTE.below,
    draw(canvas, top) {
      canvas.rect(margin, top, content, 2, theme.hairline)
      const y = (line: number) => top + NOTE.above + NOTE.ascent + line * NOTE.line
      for (const [index, line] of note.entries()) canvas.text(margin, y(index), shape(line), style)
      if (mark) canvas.text(pageWidth - margin, y(markLine), shape(mark), { ...style, align: 'end' })
    },
  }
}
