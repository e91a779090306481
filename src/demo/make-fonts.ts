import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { compress } from 'woff2-encoder'
import { bundledFonts } from '../report/fonts.ts'

// Runs from dist/demo/ as from src/demo/: both lie two folders below the project.
const target = new URL('../../src/demo/page/fonts/', import.meta.url)
mkdirSync(target, { recursive: true })
for (const path of Object.values(bundledFonts())) {
  const name = path.replace(/^.*[\\/](.+)\.ttf$/, '$1.woff2')
  writeFileSync(new URL(name, target), await compress(readFileSync(path)))
}
