import type { Canvas } from './canvas.ts'
import type { Fitter } from './fit.ts'
import type { Weight } from './fonts.ts'
import type { Sheet } from './sheet.ts'
import { isolate, isolateCode } from './text.ts'
import { theme } from './theme.ts'

const { margin } = theme
const BAND = 12
const TOP = 44
const TITLE = { size: 42, line: 56, ascent: 42, below: 6 }
const FACT = { size: 28, line: 40, ascent: 28 }
const RULE = 16

type Headed = Pick<Sheet, 'language' | 'title' | 'facts' | 'day'>
type Header = { title: readonly string[]; height: number; draw: (canvas: Canvas) => void }

/** Band, title, whose result it is, and the day. */
export function createHeader(sheet: Headed, fitter: Fitter, pageWidth: number): Header {
  const content = pageWidth - 2 * margin
  const shape = (text: string) => isolate(sheet.language, text)
  const title = fitter.lines(sheet.title, { weight: 'bold', size: TITLE.size, shape }, content, 2)
  // Measured only where it is drawn: what belongs to a participant is not remembered.
  let facts: Fact[] | undefined
  const lines = Math.max(1, sheet.facts.length)
  const height = TOP + title.length * TITLE.line + TITLE.below + lines * FACT.line + RULE

  return {
    title,
    height,
    draw(canvas) {
      canvas.rect(0, 0, pageWidth, BAND, theme.accent)
      let y = TOP
      for (const line of title) {
        canvas.text(margin, y + TITLE.ascent, shape(line), {
          size: TITLE.size,
          fill: theme.ink,
          weight: 'bold',
        })
        y += TITLE.line
      }
      y += TITLE.below + FACT.ascent
      facts ??= fitFacts(sheet, fitter, content)
      for (const [index, { text, ...look }] of facts.entries()) {
        canvas.text(margin, y + index * FACT.line, text, { size: FACT.size, ...look })
      }
      const day = facts.length > 0 ? ({ x: pageWidth - margin, align: 'end' } as const) : { x: margin }
      const lastLine = y + (lines - 1) * FACT.line
      canvas.text(day.x, lastLine, shape(sheet.day), { size: FACT.size, fill: theme.muted, ...day })
      canvas.rect(margin, height - 2, content, 2, theme.hairline)
    },
  }
}

type Fact = { text: string; weight: Weight; fill: string }

/** Whose result it is, as much as there is room for beside the day. */
function fitFacts({ language, day, facts }: Headed, fitter: Fitter, content: number): Fact[] {
  const shape = (text: string) => isolate(language, text)
  const dayWidth = fitter.width(day, { weight: 'regular', size: FACT.size, shape }) + 40
  return facts.map(({ label, value }) => {
    const prefix = label ? `${label}: ` : ''
    const shapeFact = label ? (text: string) => shape(prefix + isolateCode(text)) : shape
    const style = { weight: label ? 'regular' : 'medium', size: FACT.size, shape: shapeFact } as const
    const text = shapeFact(fitter.fresh(value, style, content - dayWidth, 1)[0] ?? '')
    return { text, weight: style.weight, fill: label ? theme.muted : theme.ink }
  })
}
