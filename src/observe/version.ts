import { readFileSync } from 'node:fs'
import { z } from 'zod'

const manifest = z.object({ version: z.string() })

/** The version of the package that runs; `unknown` where the program was taken out of its package. */
export function readVersion(): string {
  try {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
    return manifest.parse(JSON.parse(text)).version
  } catch {
    return 'unknown'
  }
}
