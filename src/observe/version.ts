import { readFileSync } from 'node:fs'

/** Set by the build: the commit that it was made of; empty if that is unknown. */
declare const PORSA_COMMIT: string

/** The version of the package that runs; `unknown` if the program runs outside of its package. */
export function readVersion(): string {
  try {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
    return String(JSON.parse(text).version ?? 'unknown')
  } catch {
    return 'unknown'
  }
}

/** The commit that runs, short; `unknown` where it was built without git. */
export const readCommit = (): string =>
  typeof PORSA_COMMIT === 'string' && PORSA_COMMIT !== '' ? PORSA_COMMIT : 'unknown'

/** The version and the commit, as an operator reads them. */
export const describeVersion = (): string => `porsa ${readVersion()} (${readCommit()})`
