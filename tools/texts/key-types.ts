import { consentVersion } from './consent-version.ts'
import { narrower, readEntries, type TextEntry, type VariableKind } from './entries.ts'

const HEADER = `// Made from locales/*.ftl by \`npm run texts\`; do not edit.
type Value = string | number | { readonly html: string }

/** The variables of every text, in the order in which a participant meets them. */
export type TextVariables = {
`

const CONSENT = `
/** Made from the words that people consent to. */
export const CONSENT_VERSION = `

const LINE_WIDTH = 110
/** Every text gets these: who invites, and how to reach them. */
const GIVEN = ['organizer', 'contact']

/** The source of `keys.ts`: every key with its variables in all files, formatted as the linter wants it. */
export function writeKeyTypes(sources: readonly string[]): string {
  const [first = '', ...others] = sources
  const files = others.map((source) => new Map(readEntries(source).map((entry) => [entry.key, entry])))
  const lines = readEntries(first).map((entry) =>
    writeKey(files.reduce((merged, file) => merge(merged, file.get(entry.key)), entry)),
  )
  return `${HEADER}${lines.join('')}}\n\nexport type TextKey = keyof TextVariables\n${CONSENT}${consentVersion(sources)}\n`
}

function merge(entry: TextEntry, other: TextEntry | undefined): TextEntry {
  if (!other) throw new Error(`${entry.key} is missing in one language`)
  const names = new Set([...entry.variables.keys(), ...other.variables.keys()])
  const variables = new Map<string, VariableKind>()
  for (const name of [...names].sort()) {
    variables.set(name, narrower(entry.variables.get(name) ?? 'any', other.variables.get(name) ?? 'any'))
  }
  return { key: entry.key, variables }
}

function writeKey({ key, variables }: TextEntry): string {
  const name = /^\w+$/.test(key) ? key : `'${key}'`
  const own = [...variables].filter(([field]) => !GIVEN.includes(field))
  if (own.length === 0) return `  ${name}: undefined\n`
  const fields = own.map(([field, kind]) => {
    const fieldName = /^\w+$/.test(field) ? field : `'${field}'`
    return `${fieldName}: ${kind === 'any' ? 'Value' : kind}`
  })
  const line = `  ${name}: { ${fields.join('; ')} }`
  if (line.length <= LINE_WIDTH) return `${line}\n`
  return `  ${name}: {\n${fields.map((field) => `    ${field}\n`).join('')}  }\n`
}
