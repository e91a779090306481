import { writeFileSync } from 'node:fs'
import { LANGUAGE_CODES } from '../../src/texts/languages.ts'
import { readLocale } from '../../src/texts/texts.ts'
import { writeKeyTypes } from './key-types.ts'

// Runs from dist-tools/programs/, two folders below the project as this one.
const target = new URL('../../src/texts/keys.ts', import.meta.url)
writeFileSync(target, writeKeyTypes(LANGUAGE_CODES.map(readLocale)))
