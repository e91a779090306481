import type { Claim } from '../storage/store.ts'
import type { Said } from '../telegram/sender.ts'
import { actorKind } from './actors.ts'
import { keepLease } from './lease.ts'
import { retryCommit } from './retry-commit.ts'
import { type RunDeps, type RunEnd, runOnce } from './run-message.ts'

const CONFLICTS = 5
const CONFLICT_PAUSE_MS = 1_000

export type ClaimDeps = RunDeps & { onEnd: (actor: string, outcome: RunEnd) => void }

/**
 * Handles a claimed message and commits what came of it: once more on fresh state where another worker was faster, and
 * later, with back-off, where the handler throws.
 */
export async function handleClaim(
  deps: ClaimDeps,
  claim: Claim,
  abort = new AbortController(),
): Promise<void> {
  const { store, now, log, onEnd, isStopped } = deps
  const kind = actorKind(claim.actor)
  const lease = keepLease(deps, claim, abort)
  const startedAt = now()
  try {
    let before: Said['before'] | undefined
    for (let tries = 0; tries < CONFLICTS; tries += 1) {
      const { outcome, about, stands } = await runOnce(deps, { claim, lease, kind, before })
      before = stands
      onEnd(kind ?? 'unknown', outcome)
      log.info({ actor: kind, ...about, outcome, ms: now() - startedAt }, 'handled')
      if (outcome !== 'conflict') return
    }
    const end = { retryAt: now() + CONFLICT_PAUSE_MS, countsAsRetry: false, staysBegun: true }
    await retryCommit((id) => store.commit(claim, { ...end, id }), isStopped)
  } catch (err) {
    // The lease runs out by itself, and the message comes again.
    log.error({ err, actor: kind }, 'message not committed')
  } finally {
    lease.end()
  }
}
