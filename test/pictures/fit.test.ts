import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCanvas } from '../../src/pictures/canvas.ts'
import { blockOf, createFitter } from '../../src/pictures/fit.ts'
import { bundledFonts } from '../../src/pictures/fonts.ts'
import { isolate, isolateLeft } from '../../src/pictures/text.ts'

const fitter = createFitter(bundledFonts())
const style = { weight: 'medium', size: 28, shape: (text: string) => isolate('fa', text) } as const
const word = fc.constantFrom(
  'افسردگی',
  'روان‌پریشی',
  'و',
  'اضطراب',
  'GAD-7',
  '(فوبیا)',
  '۱۲٫۵',
  'مُشَدَّد',
  'بیم'.repeat(40),
)
const title = fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => words.join(' '))

test('no line is wider than allowed, and only a text that is too long loses its end', () => {
  fc.assert(
    fc.property(title, (text) => {
      const lines = fitter.lines(text, style, 840, 2)
      expect(lines.length).toBeLessThanOrEqual(2)
      for (const line of lines) expect(fitter.width(line, style)).toBeLessThanOrEqual(840)
      const whole = lines.join('').replaceAll(' ', '')
      if (whole.endsWith('…')) expect(text.replaceAll(' ', '').startsWith(whole.slice(0, -1))).toBe(true)
      else expect(whole).toBe(text.replaceAll(' ', ''))
    }),
    { numRuns: 60 },
  )
})

test('a short text stays whole, an empty one has no line', () => {
  expect(fitter.lines('افسردگی', style, 840, 2)).toEqual(['افسردگی'])
  expect(fitter.lines('', style, 840, 2)).toEqual([])
})

test('two lines are about as long as each other, and none ends with a single «و»', () => {
  const lines = fitter.lines('یک دو سه چهار پنج شش هفت هشت نه ده', style, 360, 2)
  expect(fitter.width('یک دو سه چهار پنج شش هفت', style)).toBeLessThan(360) // fits, but would leave three words
  expect(lines).toEqual(['یک دو سه چهار پنج', 'شش هفت هشت نه ده'])
  expect(fitter.lines('شناختی هیجانی و اجتماعی', style, 200, 2)).toEqual(['شناختی هیجانی', 'و اجتماعی'])
})

test('one line ends in an ellipsis, not in a comma or space before it', () => {
  expect(fitter.fresh('علی رضا، محمدی', style, 105, 1)).toEqual(['علی رضا…'])
})

test('the estimate that saves measuring is never too low', () => {
  const bold = { weight: 'bold', size: 100, shape: (text: string) => text } as const
  const letters = Array.from({ length: 0xffff - 33 }, (_, index) => String.fromCharCode(index + 33)).filter(
    (letter) => /(?=[\p{Script=Arabic}\p{Script=Latin}\p{P}\p{N}])[\0-\u07ff\u2000-\u23ff]/u.test(letter),
  )
  const widest = Math.max(...letters.map((letter) => fitter.width(letter, bold)))
  expect(letters.length).toBeGreaterThan(500)
  expect(widest).toBeLessThanOrEqual(150)
})

test.each([
  [undefined, '\u2067اضطراب: score −1.5\u2069'],
  [isolateLeft, '\u2066اضطراب: score −1.5\u2069'],
])('a line that begins with Persian is drawn from the given side', (shape, drawn) => {
  const look = { size: 28, fill: '#000', line: 40, ascent: 28, ...(shape && { shape }) }
  const canvas = createCanvas('en', 1)
  blockOf(fitter, 'en', 'اضطراب: score −1.5', look, 840, 1, true).draw(canvas, 0, 0)
  expect(canvas.svg(40)).toContain(drawn)
})
