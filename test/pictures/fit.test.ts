import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCoverage } from '../../src/pictures/coverage.ts'
import { createFitter } from '../../src/pictures/fit.ts'
import { bundledFonts } from '../../src/pictures/fonts.ts'
import { isolate } from '../../src/pictures/text.ts'

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

test('no line is wider than allowed, and only what is too long loses its end', () => {
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

test('two lines are about as long as each other, and none ends with a lonely «و»', () => {
  const lines = fitter.lines('یک دو سه چهار پنج شش هفت هشت نه ده', style, 360, 2)
  expect(fitter.width('یک دو سه چهار پنج شش هفت', style)).toBeLessThan(360) // would fit, but leave three words alone
  expect(lines).toEqual(['یک دو سه چهار پنج', 'شش هفت هشت نه ده'])
  expect(fitter.lines('شناختی هیجانی و اجتماعی', style, 200, 2)).toEqual(['شناختی هیجانی', 'و اجتماعی'])
})

test('one line ends in an ellipsis, not in a comma or space before it', () => {
  expect(fitter.fresh('علی رضا، محمدی', style, 105, 1)).toEqual(['علی رضا…'])
})

test('the guess that spares measuring is never too low', () => {
  const covers = readCoverage(bundledFonts().bold)
  const bold = { weight: 'bold', size: 100, shape: (text: string) => text } as const
  const letters = Array.from({ length: 0xffff - 33 }, (_, index) => String.fromCharCode(index + 33)).filter(
    covers,
  )
  const widest = Math.max(...letters.map((letter) => fitter.width(letter, bold)))
  expect(letters.length).toBeGreaterThan(500)
  expect(widest).toBeLessThanOrEqual(150)
})
