import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createCardRenderer } from '../../src/pictures/card-renderer.ts'
import { bundledFonts, readCoverage } from '../../src/pictures/fonts.ts'
import { texts } from '../words.ts'

const fonts = bundledFonts()

const folder = mkdtempSync(join(tmpdir(), 'porsa-fonts-'))
afterAll(() => rmSync(folder, { recursive: true }))

function temporaryFile(name: string, content: Buffer | string) {
  const path = join(mkdtempSync(join(folder, 'font-')), name)
  writeFileSync(path, content)
  return path
}

/** Vazirmatn without the character ranges that begin at Arabic or later. */
function latinOnly() {
  const file = readFileSync(fonts.regular)
  const tables = Array.from({ length: file.readUInt16BE(4) }, (_, index) => 12 + index * 16)
  const cmap = file.readUInt32BE(
    (tables.find((at) => file.toString('latin1', at, at + 4) === 'cmap') ?? 0) + 8,
  )
  for (let index = 0; index < file.readUInt16BE(cmap + 2); index++) {
    const table = cmap + file.readUInt32BE(cmap + 8 + index * 8)
    const size = file.readUInt16BE(table + 6)
    for (let at = 0; at < size; at += 2) {
      if (file.readUInt16BE(table + 16 + size + at) < 0x600) continue
      file.writeUInt16BE(0xffff, table + 14 + at)
      file.writeUInt16BE(0xffff, table + 16 + size + at)
    }
  }
  return temporaryFile('Latin.ttf', file)
}

test('the bundled fonts are complete', () => {
  createCardRenderer().assertFonts()
})

test('a missing font is named', () => {
  const { assertFonts } = createCardRenderer({ fonts: { ...fonts, bold: '/nowhere/Vazirmatn-Bold.ttf' } })
  expect(assertFonts).toThrow('The bold font of the result card is missing: /nowhere/Vazirmatn-Bold.ttf')
})

test('a font without Persian is refused', () => {
  const path = latinOnly()
  expect(readCoverage(path)('a')).toBe(true)
  const { assertFonts } = createCardRenderer({ fonts: { ...fonts, medium: path } })
  expect(assertFonts).toThrow(/The medium font of the result card has no Persian glyphs .*Latin\.ttf/)
})

test.each([
  ['a licence', readFileSync(new URL('../../src/pictures/fonts/OFL.txt', import.meta.url))],
  ['an empty file', ''],
  ['a font that was cut off', readFileSync(fonts.regular).subarray(0, 300)],
])('%s is not a font', (_, content) => {
  const { assertFonts } = createCardRenderer({
    fonts: { ...fonts, regular: temporaryFile('x.ttf', content) },
  })
  expect(assertFonts).toThrow('has no Persian glyphs')
})

test('without its font no picture is drawn, instead of one without text', async () => {
  const renderer = createCardRenderer({ fonts: { ...fonts, regular: '/nowhere/Vazirmatn-Regular.ttf' } })
  const card = { t: texts.for('fa'), title: 'آزمون', date: new Date(0), note: '' } as const
  await expect(renderer.recordCards({ ...card, scales: [{ score: 1 }] })).rejects.toThrow('Regular.ttf')
})

test('the coverage of a font tells which characters it can draw', () => {
  const covers = readCoverage(fonts.regular)
  expect([...'aپ۷\u200c…−'].every(covers)).toBe(true)
  expect([...'😀中Ж\uffff'].some(covers)).toBe(false)
})
