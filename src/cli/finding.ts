import { scrub } from '../observe/scrub.ts'
import type { Reason } from './reason.ts'

/** What became of trying one part: `unsure` where it cannot be told before something else works. */
export type Finding = { name: string; state: 'ok' | 'FAILED' | 'unsure'; detail: string; advice?: string }

/** A check that failed for a reason that is known, with what to do. */
export class Found extends Error {
  readonly advice: string
  constructor({ why, advice }: Reason) {
    super(why)
    this.advice = advice
  }
}

/** It depends on a part that does not work. */
export class Unsure extends Error {}

/** Tries one part; a check returns what it has seen. */
export async function find(name: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { name, state: 'ok', detail: await check() }
  } catch (error) {
    // What has an advice was put into words here, and holds nothing that must not be shown.
    if (error instanceof Found) return { name, state: 'FAILED', detail: error.message, advice: error.advice }
    if (error instanceof Unsure) return { name, state: 'unsure', detail: error.message }
    return { name, state: 'FAILED', detail: scrub(error instanceof Error ? error.message : 'failed') }
  }
}
