import { z } from 'zod'
import { backOffMs } from '../domain/durations.ts'

/** What is kept with a message that is put back because Telegram fails. */
const attempts = z.object({
  attempts: z.object({
    tries: z.number(),
    /** When it first failed with an unclear outcome; milliseconds since 1970. */
    unclearSince: z.number().optional(),
    /** The confirmed sends, in order. */
    said: z.array(z.object({ key: z.string(), id: z.number() })),
  }),
})
type EarlierRuns = z.infer<typeof attempts>['attempts']

const NONE: EarlierRuns = { tries: 0, said: [] }

/** A temporary failure: until a named time (`isStop`: this process stops), with nothing done, or unclear. */
export type TemporaryFailure =
  | { kind: 'named'; afterMs: number; isStop?: true }
  | { kind: 'nothing-done' | 'unclear' }

const STEPS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]
/** A message whose failures stay unclear for this long is set aside. */
const UNCLEAR_FOR_MS = 15 * 60_000

/** What earlier runs have noted in the body of a message. */
export function earlierRunsOf(body: unknown): EarlierRuns {
  return attempts.safeParse(body).data?.attempts ?? NONE
}

/** The body of a dead letter to be tried again: with all its tries, and without repeating confirmed sends. */
export const withAllTries = (body: object) => ({
  ...body,
  attempts: { ...NONE, said: earlierRunsOf(body).said },
})

/** When a message is retried after a temporary failure, and what is kept with it; `undefined`: never. */
export function nextRetry(
  before: EarlierRuns,
  failure: TemporaryFailure,
  said: EarlierRuns['said'],
  now: number,
): { afterMs: number; attempts: EarlierRuns } | undefined {
  const tries = before.tries + 1
  const { unclearSince = now } = before
  if (failure.kind === 'named') return { afterMs: failure.afterMs, attempts: { ...before, said } }
  const afterMs = backOffMs(STEPS_MS, tries)
  if (failure.kind === 'nothing-done') return { afterMs, attempts: { tries, said } }
  if (now - unclearSince >= UNCLEAR_FOR_MS) return undefined
  return { afterMs, attempts: { tries, unclearSince, said } }
}

/** Pauses after errors in our own code; after the last one the message is set aside. */
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000]

/** The message is put back for a while; `attempts`: what is kept with it. */
export type PutBack = { afterMs: number; countsAsRetry: boolean; attempts?: EarlierRuns | undefined }

type Failure = { before: EarlierRuns; said: EarlierRuns['said']; retries: number; now: number }

/** Decides about a message whose handler threw; without a `reason` the error is in our own code. */
export function afterFailure(
  { before, said, retries, now }: Failure,
  reason: TemporaryFailure | 'stopping' | 'hopeless' | undefined,
): PutBack | 'set aside' {
  const attempts = said.length > 0 ? { ...before, said } : undefined
  if (reason === 'hopeless') return 'set aside'
  if (reason === 'stopping') return { afterMs: 0, countsAsRetry: false, attempts }
  if (reason) {
    const again = nextRetry(before, reason, said, now)
    return again ? { ...again, countsAsRetry: false } : 'set aside'
  }
  const retryMs = RETRY_MS[retries]
  return retryMs === undefined ? 'set aside' : { afterMs: retryMs, countsAsRetry: true, attempts }
}
