import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { compress } from 'woff2-encoder'
import { bundledFonts } from '../../src/pictures/fonts.ts'

// Runs from dist-tools/programs/, which is two folders below the project, like this file's folder.
const target = new URL('../../tools/demo/page/fonts/', import.meta.url)
mkdirSync(target, { recursive: true })
for (const path of Object.values(bundledFonts())) {
  const name = path.replace(/^.*[\\/](.+)\.ttf$/, '$1.woff2')
  writeFileSync(new URL(name, target), await compress(readFileSync(path)))
}
