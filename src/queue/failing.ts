import { z } from 'zod'
import { backOffMs } from '../domain/durations.ts'

/** What is kept with a message that is put back because Telegram fails. */
const attempts = z.object({
  attempts: z.object({
    tries: z.number(),
    /** When it failed first, where it may have happened all the same; milliseconds since 1970. */
    unclearSince: z.number().optional(),
    /** What was said and confirmed, in order. */
    said: z.array(z.object({ key: z.string(), id: z.number() })),
  }),
})
type EarlierRuns = z.infer<typeof attempts>['attempts']

const NONE: EarlierRuns = { tries: 0, said: [] }

/** How a failure passes: at a time that was named (`isStop`: this process stops), with nothing done, or nobody knows. */
export type Passing = { kind: 'named'; afterMs: number; isStop?: true } | { kind: 'nothing-done' | 'unclear' }

const STEPS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000]
/** What fails so long without anybody knowing what became of it is set aside. */
const UNCLEAR_FOR_MS = 15 * 60_000

/** What earlier attempts have noted with the body of a message. */
export function earlierRunsOf(body: unknown): EarlierRuns {
  return attempts.safeParse(body).data?.attempts ?? NONE
}

/** A message that was set aside, to be handed out again: it has all its tries, and what was said is not said once more. */
export const withAllTries = (body: object) => ({
  ...body,
  attempts: { ...NONE, said: earlierRunsOf(body).said },
})

/** When a message comes again that failed in passing, and what is kept with it; `undefined`: never. */
export function comesAgain(
  before: EarlierRuns,
  passing: Passing,
  said: EarlierRuns['said'],
  now: number,
): { afterMs: number; attempts: EarlierRuns } | undefined {
  const tries = before.tries + 1
  const { unclearSince = now } = before
  if (passing.kind === 'named') return { afterMs: passing.afterMs, attempts: { ...before, said } }
  const afterMs = backOffMs(STEPS_MS, tries)
  if (passing.kind === 'nothing-done') return { afterMs, attempts: { tries, said } }
  if (now - unclearSince >= UNCLEAR_FOR_MS) return undefined
  return { afterMs, attempts: { tries, unclearSince, said } }
}

/** After an error of ours; then the message is set aside. */
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000]

/** The message is put back for a while; what is kept with it, if anything. */
export type PutBack = { afterMs: number; countsAsRetry: boolean; attempts?: EarlierRuns | undefined }

type Failure = { before: EarlierRuns; said: EarlierRuns['said']; retries: number; now: number }

/** What becomes of a message whose handler threw: for a reason that passes, at the stop, hopelessly, or by a mistake of ours. */
export function afterFailure(
  { before, said, retries, now }: Failure,
  reason: Passing | 'stopping' | 'hopeless' | undefined,
): PutBack | 'set aside' {
  const attempts = said.length > 0 ? { ...before, said } : undefined
  if (reason === 'hopeless') return 'set aside'
  if (reason === 'stopping') return { afterMs: 0, countsAsRetry: false, attempts }
  if (reason) {
    const again = comesAgain(before, reason, said, now)
    return again ? { ...again, countsAsRetry: false } : 'set aside'
  }
  const retryMs = RETRY_MS[retries]
  return retryMs === undefined ? 'set aside' : { afterMs: retryMs, countsAsRetry: true, attempts }
}
