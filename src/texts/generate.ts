import { writeFileSync } from 'node:fs'
import { writeKeyTypes } from './key-types.ts'
import { LANGUAGE_CODES } from './languages.ts'
import { readLocale } from './texts.ts'

// Runs from dist/texts/ as from src/texts/: both lie two folders below the project.
const target = new URL('../../src/texts/keys.ts', import.meta.url)
writeFileSync(target, writeKeyTypes(LANGUAGE_CODES.map(readLocale)))
