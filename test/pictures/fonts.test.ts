import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createCardRenderer } from '../../src/pictures/card-renderer.ts'
import { bundledFonts } from '../../src/pictures/fonts.ts'

const fonts = bundledFonts()

const folder = mkdtempSync(join(tmpdir(), 'porsa-fonts-'))
afterAll(() => rmSync(folder, { recursive: true }))

function temporaryFile(name: string, content: Buffer | string) {
  const path = join(mkdtempSync(join(folder, 'font-')), name)
  writeFileSync(path, content)
  return path
}

test('the bundled fonts are complete', () => {
  createCardRenderer().assertFonts()
})

test('a missing font is named', () => {
  const { assertFonts } = createCardRenderer({ fonts: { ...fonts, bold: '/nowhere/Vazirmatn-Bold.ttf' } })
  expect(assertFonts).toThrow('The bold font of the result card is missing: /nowhere/Vazirmatn-Bold.ttf')
})

test.each([
  ['a licence', readFileSync(new URL('../../src/pictures/fonts/OFL.txt', import.meta.url))],
  ['an empty file', ''],
  ['a font that was cut off', readFileSync(fonts.regular).subarray(0, 300)],
])('%s is not a font', (_, content) => {
  const { assertFonts } = createCardRenderer({
    fonts: { ...fonts, regular: temporaryFile('x.ttf', content) },
  })
  expect(assertFonts).toThrow('The regular font of the result card cannot be drawn with')
})
