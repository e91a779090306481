import { readFileSync } from 'node:fs'

/** The version of the package that runs; `unknown` where the program was taken out of its package. */
export function readVersion(): string {
  try {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
    return String(JSON.parse(text).version ?? 'unknown')
  } catch {
    return 'unknown'
  }
}
