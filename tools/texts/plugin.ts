import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { LANGUAGE_CODES } from '../../src/texts/languages.ts'
import { readLocale } from '../../src/texts/texts.ts'
import { writeKeyTypes } from './key-types.ts'

const target = fileURLToPath(new URL('../../src/texts/keys.ts', import.meta.url))

/** Makes the types of all texts from `locales/` before a build or test; they are not in the repository. */
export const textKeys: Plugin = {
  name: 'text-keys',
  config() {
    const keys = writeKeyTypes(LANGUAGE_CODES.map(readLocale))
    if (!existsSync(target) || readFileSync(target, 'utf8') !== keys) writeFileSync(target, keys)
  },
}
