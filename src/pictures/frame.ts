import { type Canvas, theme } from './canvas.ts'
import type { Sheet } from './card.ts'
import { blockOf, type Fitter } from './fit.ts'
import { isolate, isolateCode } from './text.ts'

const { margin, small, muted } = theme
const BAND = 12
const TOP = 44
const TITLE = { size: 42, line: 56, ascent: 42, weight: 'bold', fill: theme.ink } as const
const BELOW_TITLE = 6
const FACT = { size: 28, line: 40, ascent: 28 }
const RULE = 16

type Headed = Pick<Sheet, 'language' | 'title' | 'fact' | 'day'>

/** The head of a picture: the band, the title, whose result it is, and the day. */
export function createHeader(sheet: Headed, fitter: Fitter, pageWidth: number) {
  const { language, day } = sheet
  const content = pageWidth - 2 * margin
  const title = blockOf(fitter, language, sheet.title, TITLE, content, 2)
  // Measured only when it is drawn, because a participant's data is not remembered.
  let fact: string | undefined
  const top = TOP + title.height + BELOW_TITLE
  const height = top + FACT.line + RULE

  return {
    height,
    draw(canvas: Canvas): void {
      canvas.rect(0, 0, pageWidth, BAND, theme.accent)
      title.draw(canvas, margin, TOP)
      fact ??= fitFact(sheet, fitter, content)
      const [y, look] = [top + FACT.ascent, { size: FACT.size, fill: muted }]
      if (fact) canvas.text(margin, y, fact, look)
      const place = fact ? ({ x: pageWidth - margin, align: 'end' } as const) : { x: margin }
      canvas.words(place.x, y, day, { ...look, ...place })
      canvas.rect(margin, height - 2, content, 2, theme.hairline)
    },
  }
}

/** Whose result it is, as far as there is room beside the day. A code has its own direction. */
function fitFact({ language, day, fact }: Headed, fitter: Fitter, content: number): string {
  if (!fact) return ''
  const shape = (text: string) => isolate(language, text)
  const style = { weight: 'regular', size: FACT.size } as const
  const room = content - fitter.width(day, { ...style, shape }) - 40
  const whole = (value: string) => shape(`${fact.label}: ${isolateCode(value)}`)
  return whole(fitter.fresh(fact.value, { ...style, shape: whole }, room, 1)[0] ?? '')
}

const NOTE = { size: small, line: 38, ascent: 27, fill: muted }
const NOTE_SPACE = { above: 22, below: 24 }
const MOST_LINES = 5

/** The closing note and, with several pictures, the page mark below it. */
export function createFooter(
  { language, note }: Pick<Sheet, 'language' | 'note'>,
  fitter: Fitter,
  pageWidth: number,
  mark = '',
) {
  const content = pageWidth - 2 * margin
  const text = blockOf(fitter, language, note, NOTE, content, MOST_LINES)
  const height = text.height + (mark ? NOTE.line : 0)
  return {
    height: NOTE_SPACE.above + height + NOTE_SPACE.below,
    draw(canvas: Canvas, top: number): void {
      canvas.rect(margin, top, content, 2, theme.hairline)
      const first = top + NOTE_SPACE.above
      text.draw(canvas, margin, first)
      const look = { size: NOTE.size, fill: NOTE.fill, align: 'end' } as const
      if (mark) canvas.words(pageWidth - margin, first + text.height + NOTE.ascent, mark, look)
    },
  }
}
