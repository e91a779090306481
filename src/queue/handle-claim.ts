import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isFields } from '../domain/fields.ts'
import { UnreadableError } from '../domain/unreadable.ts'
import { type Log, traceOf } from '../observe/logger.ts'
import type { Milestone } from '../observe/metrics.ts'
import { unlessAborted } from '../observe/within.ts'
import { openBody, sealBody, type Term } from '../storage/documents.ts'
import { type Claim, LOST_AMONG_OTHERS, type Store } from '../storage/store.ts'
import { createUnitOfWork, type UnitOfWork } from '../storage/unit-of-work.ts'
import type { Vault } from '../storage/vault.ts'
import type { Sender, SentParts } from '../telegram/sender.ts'
import { type ActorKind, actorId, actorKind, traceMessage } from './actors.ts'
import { allOf, createFailedRuns, type FailedRuns } from './failed-runs.ts'
import { afterFailure, earlierRunsOf, type PutBack, type TemporaryFailure } from './failing.ts'
import type { Handler, JobEnd, Task } from './job.ts'
import { keepLease, type Lease } from './lease.ts'
import { KillsError, type Suspects } from './suspects.ts'

export type ClaimDeps = {
  store: Store
  vault: Vault
  term: () => Term
  now: () => number
  log: Log
  handlers: Readonly<Record<ActorKind, Handler>>
  /** Recognises a temporary failure (Telegram is away): the message is put back, and no retry is counted. */
  temporaryFailureOf: (error: unknown) => TemporaryFailure | undefined
  sender?: Sender
  /** Takes a message that failed for good off the queue. Its body is `undefined` if it cannot be opened. */
  setAside: (task: Task<unknown>, error: unknown) => Promise<void> | void
  /** Called for each noted milestone after the commit. */
  onMilestone?: (milestone: Milestone) => void
  isStopped: () => boolean
  suspects: Pick<Suspects, 'of'>
  onEnd: (actor: string, outcome: RunEnd) => void
}

/**
 * How a run ends. `conflict`: another worker changed a document first; run again at once. `lost`: another
 * worker has the message. `put back`: Telegram is away or this process stops. `failed`: it is retried.
 */
type RunEnd = 'ok' | 'conflict' | 'lost' | 'put back' | 'failed' | 'set aside'

/** One run of a message: its task, and what it has sent. */
type Run = {
  claim: Claim
  lease: Lease
  task: Task<unknown>
  sent: SentParts
  mayBegin: () => Promise<void>
}

const CONFLICTS = 5
const CONFLICT_PAUSE_MS = 1_000

/**
 * Handles a claimed message and commits the outcome. After a conflict it runs again on fresh state. If the
 * handler throws, the message is retried later, with back-off.
 */
export async function handleClaim(
  deps: ClaimDeps,
  claim: Claim,
  abort = new AbortController(),
): Promise<void> {
  const { now, log, onEnd } = deps
  const kind = actorKind(claim.actor)
  const lease = keepLease(deps, claim, abort)
  const suspect = deps.suspects.of(claim)
  const startedAt = now()
  const failedRuns = createFailedRuns()
  try {
    for (let tries = 1; ; tries += 1) {
      const run = beginRun(deps, claim, lease, suspect.begin, failedRuns.onFailedRun)
      const { outcome, about } = await runOnce(deps, run, failedRuns.kept)
      const comesAtOnce = outcome === 'conflict' && tries < CONFLICTS
      const earlier = earlierRunsOf(run.task.body).said
      const standing = comesAtOnce ? allOf(run.sent) : standingAfter(outcome, run.sent, earlier)
      await failedRuns.ran(run.sent, standing, earlier)
      onEnd(kind ?? 'unknown', outcome)
      log.info({ actor: kind, ...about, outcome, ms: now() - startedAt }, 'handled')
      if (outcome !== 'conflict') return
      if (comesAtOnce) continue
      const attempts = { ...earlierRunsOf(run.task.body), said: failedRuns.kept ?? [] }
      await putBack(deps, run, { afterMs: CONFLICT_PAUSE_MS, countsAsRetry: false, attempts })
      return
    }
  } catch (err) {
    // The lease expires, and then the message is claimed again.
    log.error({ err, actor: kind }, 'message not committed')
  } finally {
    lease.end()
    suspect.end()
  }
}

/** Handles the message once and commits the outcome; `before`: the sends that are kept of failed runs. */
async function runOnce(deps: ClaimDeps, run: Run, before: SentParts['before'] | undefined) {
  const { claim, lease, task, sent } = run
  const kind = actorKind(claim.actor)
  let end: JobEnd<object>
  let about: ReturnType<typeof traceMessage> = { trace: task.trace, kind: undefined }
  try {
    if (!kind) throw new Error('nobody handles this actor')
    task.body = openBody(deps.vault, claim.actor, claim.message.body)
    about = traceMessage(claim.actor, task.body)
    task.trace = about.trace
    sent.before = before ?? earlierRunsOf(task.body).said
    task.hasSent = sent.before.length > 0
    if (claim.message.lost > LOST_AMONG_OTHERS)
      throw new KillsError('it was begun three times without an end')
    await unlessAborted(lease.signal, run.mayBegin)
    end = await unlessAborted(lease.signal, () => deps.handlers[kind](task))
  } catch (err) {
    return { outcome: await fail(deps, run, err), about }
  }
  const outcome = await retryCommit((id) => task.work.commit({ ...end, id }), deps.isStopped)
  if (outcome === 'ok') logMilestones(deps, task.work, task.trace)
  return { outcome, about }
}

/** The sends to keep after the last run; after a lost lease the other worker goes on from `earlier`. */
function standingAfter(outcome: RunEnd, sent: SentParts, earlier: SentParts['before']): SentParts['before'] {
  if (outcome === 'conflict') return []
  if (outcome === 'lost') return earlier
  return outcome === 'ok' ? sent.now : allOf(sent)
}

/** Makes a run of a claimed message, whose body is not opened yet. */
function beginRun(
  deps: ClaimDeps,
  claim: Claim,
  lease: Lease,
  mayBegin: () => Promise<void>,
  onFailedRun: FailedRuns['onFailedRun'],
): Run {
  const { actor, message } = claim
  const sent: SentParts = { before: [], now: [] }
  const keyOf = (text: string) => deps.vault.hash('said', text)
  const task: Task<unknown> = {
    actor,
    id: actorId(actor),
    body: undefined,
    work: newWork(deps, claim),
    begun: message.begun || lease.hasBegun(),
    signal: lease.signal,
    begin: lease.begin,
    retries: message.retries,
    trace: traceOf(actorId(actor)),
    hasSent: false,
    sender: deps.sender?.onTask({ signal: lease.signal, sent, keyOf }),
    onFailedRun,
  }
  return { claim, lease, task, sent, mayBegin }
}

function newWork({ store, vault, term, log }: ClaimDeps, claim: Claim): UnitOfWork {
  const onUnreadable = (err: unknown) => log.error({ err }, 'kept value begun anew')
  return createUnitOfWork({ store, vault, term: term(), onUnreadable }, claim)
}

/** Drops what the failed handler wrote and posted, then puts the message back or sets it aside. */
async function fail(deps: ClaimDeps, run: Run, err: unknown): Promise<RunEnd> {
  const { claim, lease, task, sent } = run
  const about = { actor: actorKind(task.actor) }
  if (lease.isLost()) {
    deps.log.warn(about, 'lease lost')
    return 'lost'
  }
  const { retries } = task
  const reason = lease.isStopping() ? 'stopping' : reasonOf(deps, err)
  const isStop = reason === 'stopping' || (typeof reason === 'object' && 'isStop' in reason)
  const isSilent = isStop || reason === 'hopeless'
  if (!isSilent) deps.log.error({ err, ...about, retries }, 'message not handled')
  const failure = { before: earlierRunsOf(task.body), said: allOf(sent), retries, now: deps.now() }
  const after = afterFailure(failure, reason)
  return after === 'set aside' ? setAside(deps, run, err) : putBack(deps, { claim, task }, after)
}

/** A retry helps neither a damaged value nor a message that kills the process. */
const reasonOf = ({ temporaryFailureOf }: ClaimDeps, err: unknown) =>
  err instanceof UnreadableError || err instanceof KillsError ? 'hopeless' : temporaryFailureOf(err)

async function putBack(
  { store, vault, now, isStopped }: ClaimDeps,
  { claim, task }: Pick<Run, 'claim' | 'task'>,
  { afterMs, countsAsRetry, attempts }: PutBack,
): Promise<RunEnd> {
  const kept = attempts && isFields(task.body) ? { ...task.body, attempts } : undefined
  const retryBody = kept && { retryBody: sealBody(vault, claim.actor, kept) }
  const end = { retryAt: now() + afterMs, countsAsRetry, staysBegun: true, ...retryBody }
  const outcome = await retryCommit((id) => store.commit(claim, { ...end, id }), isStopped)
  if (outcome !== 'ok') return outcome
  return countsAsRetry ? 'failed' : 'put back'
}

async function setAside(deps: ClaimDeps, { claim, lease, task }: Run, err: unknown): Promise<RunEnd> {
  const work = newWork(deps, claim)
  await deps.setAside({ ...task, work, begun: task.begun || lease.hasBegun() }, err)
  const outcome = await retryCommit((id) => work.commit({ id }), deps.isStopped)
  if (outcome === 'ok') logMilestones(deps, work, task.trace)
  return outcome === 'ok' ? 'set aside' : outcome
}

function logMilestones({ log, onMilestone }: ClaimDeps, { noted }: UnitOfWork, trace: string): void {
  for (const milestone of noted) {
    log.info({ trace }, milestone)
    onMilestone?.(milestone)
  }
}

const TRIES = 15
const AGAIN_MS = 500

/**
 * Retries a commit while the store is away, so that effects outside, such as a sent message, are not
 * repeated. Every try carries the same id, so that the store recognises a commit whose reply was lost.
 */
async function retryCommit<T>(commit: (id: string) => Promise<T>, isStopped: () => boolean): Promise<T> {
  const id = randomBytes(9).toString('base64url')
  for (let tries = 1; ; tries += 1) {
    try {
      return await commit(id)
    } catch (err) {
      if (tries === TRIES || isStopped()) throw err
      await delay(AGAIN_MS)
    }
  }
}
