import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the workers find the bundled bot, or put it. */
    bundle: string
  }
}

/** Names a folder beside `dist` for this run of the tests, and removes it in the end. */
export default function nameFolder({ provide }: TestProject): () => Promise<void> {
  const folder = fileURLToPath(new URL(`../../dist-test-${randomUUID()}`, import.meta.url))
  provide('bundle', folder)
  return () => rm(folder, { recursive: true, force: true })
}
