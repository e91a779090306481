import type { Canvas } from './canvas.ts'
import type { Fitter } from './fit.ts'
import type { Sheet } from './sheet.ts'
import { isolate, isolateCode } from './text.ts'
import { theme } from './theme.ts'

const { margin } = theme
const BAND = 12
const TOP = 44
const TITLE = { size: 42, line: 56, ascent: 42, below: 6 }
const FACT = { size: 28, line: 40, ascent: 28 }
const RULE = 16

type Headed = Pick<Sheet, 'language' | 'title' | 'fact' | 'day'>
type Header = { title: readonly string[]; height: number; draw: (canvas: Canvas) => void }

/** Band, title, whose result it is, and the day. */
export function createHeader(sheet: Headed, fitter: Fitter, pageWidth: number): Header {
  const content = pageWidth - 2 * margin
  const shape = (text: string) => isolate(sheet.language, text)
  const title = fitter.lines(sheet.title, { weight: 'bold', size: TITLE.size, shape }, content, 2)
  // Measured only where it is drawn: what belongs to a participant is not remembered.
  let fact: string | undefined
  const height = TOP + title.length * TITLE.line + TITLE.below + FACT.line + RULE

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
      fact ??= fitFact(sheet, fitter, content)
      const look = { size: FACT.size, fill: theme.muted }
      if (fact) canvas.text(margin, y, fact, look)
      const day = fact ? ({ x: pageWidth - margin, align: 'end' } as const) : { x: margin }
      canvas.text(day.x, y, shape(sheet.day), { ...look, ...day })
      canvas.rect(margin, height - 2, content, 2, theme.hairline)
    },
  }
}

/** Whose result it is, as much as there is room for beside the day; a code has a direction of its own. */
function fitFact({ language, day, fact }: Headed, fitter: Fitter, content: number): string {
  if (!fact) return ''
  const shape = (text: string) => isolate(language, text)
  const style = { weight: 'regular', size: FACT.size } as const
  const room = content - fitter.width(day, { ...style, shape }) - 40
  const whole = (value: string) => shape(`${fact.label}: ${isolateCode(value)}`)
  return whole(fitter.fresh(fact.value, { ...style, shape: whole }, room, 1)[0] ?? '')
}
