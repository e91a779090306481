import { CARD_WIDTH, type Canvas } from './canvas.ts'
import type { Fitter } from './fit.ts'
import type { Sheet } from './sheet.ts'
import { isolate, isolateCode } from './text.ts'
import { theme } from './theme.ts'

/** A part of the page whose height is known before it is drawn from `top` downwards. */
export type Block = { height: number; draw: (canvas: Canvas, top: number) => void }

const { margin } = theme
const CONTENT = CARD_WIDTH - 2 * margin
const BAND = 12
const TOP = 44
const OVERLINE = { size: 24, line: 38 }
const TITLE = { size: 40, line: 54, ascent: 40, below: 6 }
const FACT = { size: 26, line: 38, ascent: 26 }
const RULE = 16
const NOTE = { size: 22, line: 34, ascent: 24, above: 24, below: 28 }
const MARK_WIDTH = 220

/** Band, title, whose result it is, and the day. */
export function createHeader(sheet: Sheet, fitter: Fitter): Block {
  const shape = (text: string) => isolate(sheet.language, text)
  const title = fitter.lines(sheet.title, { weight: 'bold', size: TITLE.size, shape }, CONTENT, 2)
  const overlineStyle = { weight: 'regular', size: OVERLINE.size, shape } as const
  const overline = sheet.overline && fitter.lines(sheet.overline, overlineStyle, CONTENT, 1)[0]
  const dayWidth = fitter.width(sheet.day, { weight: 'regular', size: FACT.size, shape }) + 40
  const facts = sheet.facts.map(({ label, value }) => {
    const prefix = label ? `${label}: ` : ''
    const shapeFact = label ? (text: string) => shape(prefix + isolateCode(text)) : shape
    const style = { weight: 'regular', size: FACT.size, shape: shapeFact } as const
    const text = shapeFact(fitter.line(value, style, CONTENT - dayWidth))
    return { text, fill: label ? theme.muted : theme.ink }
  })
  const lines = Math.max(1, facts.length)
  const height =
    TOP + (overline ? OVERLINE.line : 0) + title.length * TITLE.line + TITLE.below + lines * FACT.line + RULE

  return {
    height,
    draw(canvas, top) {
      canvas.rect(0, top, CARD_WIDTH, BAND, theme.accent)
      let y = top + TOP
      if (overline) {
        canvas.text(margin, y + OVERLINE.size, shape(overline), { size: OVERLINE.size, fill: theme.accent })
        y += OVERLINE.line
      }
      for (const line of title) {
        canvas.text(margin, y + TITLE.ascent, shape(line), {
          size: TITLE.size,
          fill: theme.ink,
          weight: 'bold',
        })
        y += TITLE.line
      }
      y += TITLE.below + FACT.ascent
      for (const [index, fact] of facts.entries()) {
        canvas.text(margin, y + index * FACT.line, fact.text, { size: FACT.size, fill: fact.fill })
      }
      const day = facts.length > 0 ? ({ x: CARD_WIDTH - margin, align: 'end' } as const) : { x: margin }
      const lastLine = y + (lines - 1) * FACT.line
      canvas.text(day.x, lastLine, shape(sheet.day), { size: FACT.size, fill: theme.muted, ...day })
      canvas.rect(margin, top + height - 2, CONTENT, 2, theme.hairline)
    },
  }
}

/** The closing note and, where there are several pictures, which one this is. */
export function createFooter(sheet: Sheet, fitter: Fitter, mark: string): Block {
  const shape = (text: string) => isolate(sheet.language, text)
  const width = CONTENT - (mark ? MARK_WIDTH : 0)
  const note = fitter.lines(sheet.note, { weight: 'regular', size: NOTE.size, shape }, width, 4)
  const style = { size: NOTE.size, fill: theme.muted }
  return {
    height: NOTE.above + note.length * NOTE.line + NOTE.below,
    draw(canvas, top) {
      canvas.rect(margin, top, CONTENT, 2, theme.hairline)
      const y = top + NOTE.above + NOTE.ascent
      for (const [index, line] of note.entries())
        canvas.text(margin, y + index * NOTE.line, shape(line), style)
      if (mark) canvas.text(CARD_WIDTH - margin, y, shape(mark), { ...style, align: 'end' })
    },
  }
}
