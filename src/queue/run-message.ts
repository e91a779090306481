import { isFields } from '../domain/fields.ts'
import { UnreadableError } from '../domain/unreadable.ts'
import type { Log } from '../observe/logger.ts'
import type { Milestone } from '../observe/milestones.ts'
import { openBody, sealBody, type Term } from '../storage/documents.ts'
import type { Claim, Store } from '../storage/store.ts'
import { createUnitOfWork, type UnitOfWork } from '../storage/unit-of-work.ts'
import type { Vault } from '../storage/vault.ts'
import type { Said, Sender } from '../telegram/sender.ts'
import { type ActorKind, actorId, actorKind } from './actors.ts'
import { afterFailure, earlierRunsOf, type Passing, type PutBack } from './failing.ts'
import { type Lease, unlessAborted } from './lease.ts'
import { retryCommit } from './retry-commit.ts'
import type { Handler, JobEnd, Task } from './task.ts'
import { traceMessage } from './trace.ts'

export type RunDeps = {
  store: Store
  vault: Vault
  term: () => Term
  now: () => number
  log: Log
  handlers: Readonly<Record<ActorKind, Handler>>
  /** How an error passes by itself (Telegram is away); the message is put back without counting. */
  passes: (error: unknown) => Passing | undefined
  sender?: Sender
  /** Keeps a message that failed for good out of the way. Its body is `undefined` where it could not be opened. */
  setAside: (task: Task<unknown>, error: unknown) => Promise<void> | void
  /** Told of what was noted, once it is kept. */
  onMilestone?: (milestone: Milestone) => void
  isStopped: () => boolean
}

/**
 * How a run ends. `conflict`: another worker was faster, it is tried again at once; `lost`: another worker has the
 * message; `put back`: it comes again, since Telegram is away or this process stops; `failed`: it comes again.
 */
export type RunEnd = 'ok' | 'conflict' | 'lost' | 'put back' | 'failed' | 'set aside'

/** One run at a message: its task, what is said on the way, and what is taken back when it was in vain. */
type Run = {
  claim: Claim
  lease: Lease
  task: Task<unknown>
  said: Said
  /** `false` where nothing is taken back, so that what was said stands. */
  undo: () => Promise<boolean>
}

type About = ReturnType<typeof traceMessage>

/** Handles a claimed message once and commits what came of it. */
export async function runOnce(
  deps: RunDeps,
  {
    claim,
    lease,
    kind,
    before,
  }: {
    claim: Claim
    lease: Lease
    kind: ActorKind | undefined
    /** What the run before it, in vain, has said; absent at the first. */
    before?: Said['before'] | undefined
  },
): Promise<{ outcome: RunEnd; about: About; stands: Said['before'] }> {
  const run = beginRun(deps, claim, lease)
  const { task, said } = run
  let end: JobEnd<object>
  let about = traceMessage(claim.actor, undefined)
  try {
    if (!kind) throw new Error('nobody handles this actor')
    task.body = openBody(deps.vault, claim.actor, claim.message.body)
    about = traceMessage(claim.actor, task.body)
    task.trace = about.trace
    said.before = before ?? earlierRunsOf(task.body).said
    task.hasSent = said.before.length > 0
    end = await unlessAborted(lease.signal, () => deps.handlers[kind](task))
  } catch (err) {
    return { outcome: await fail(deps, run, err), about, stands: [] }
  }
  const outcome = await retryCommit((id) => task.work.commit({ ...end, id }), deps.isStopped)
  const isUndone = outcome === 'conflict' && (await run.undo())
  if (outcome === 'lost') await undoOwn(run)
  if (outcome === 'ok') tell(deps, task.work, task.trace)
  return { outcome, about, stands: isUndone ? [] : [...said.before, ...said.now] }
}

/** A claimed message whose body is not opened yet. */
function beginRun(deps: RunDeps, claim: Claim, lease: Lease): Run {
  const { actor, message } = claim
  const said: Said = { before: [], now: [] }
  const keyOf = (text: string) => deps.vault.hash('said', text)
  let undo: (() => Promise<void>) | undefined
  const task: Task<unknown> = {
    actor,
    id: actorId(actor),
    body: undefined,
    work: newWork(deps, claim),
    begun: message.begun || lease.hasBegun(),
    signal: lease.signal,
    begin: lease.begin,
    retries: message.retries,
    trace: traceMessage(actor, undefined).trace,
    hasSent: false,
    sender: deps.sender?.onTask({ signal: lease.signal, said, keyOf }),
    onConflict(act) {
      undo = act
    },
  }
  return {
    ...{ claim, lease, task, said },
    async undo() {
      await undo?.()
      return undo !== undefined
    },
  }
}

function newWork({ store, vault, term, log }: RunDeps, claim: Claim): UnitOfWork {
  const onUnreadable = (err: unknown) => log.error({ err }, 'kept value begun anew')
  return createUnitOfWork({ store, vault, term: term(), onUnreadable }, claim)
}

/** What a handler that throws has written and posted is dropped. */
async function fail(deps: RunDeps, run: Run, err: unknown): Promise<RunEnd> {
  const { claim, lease, task, said } = run
  const about = { actor: actorKind(task.actor) }
  if (lease.isLost()) {
    deps.log.warn(about, 'lease lost')
    await undoOwn(run)
    return 'lost'
  }
  const { retries } = task
  const reason = lease.isStopping() ? 'stopping' : reasonOf(deps, err)
  const isSilent = reason === 'stopping' || reason === 'hopeless'
  if (!isSilent) deps.log.error({ err, ...about, retries }, 'message not handled')
  const failure = { before: earlierRunsOf(task.body), said: said.now, retries, now: deps.now() }
  const after = afterFailure(failure, reason)
  const outcome =
    after === 'set aside' ? await setAside(deps, run, err) : await putBack(deps, { claim, task }, after)
  if (outcome === 'lost') await undoOwn(run)
  return outcome
}

/** A harmed value does not mend itself. */
const reasonOf = ({ passes }: RunDeps, err: unknown) =>
  err instanceof UnreadableError ? 'hopeless' : passes(err)

async function putBack(
  { store, vault, now, isStopped }: RunDeps,
  { claim, task }: Pick<Run, 'claim' | 'task'>,
  { afterMs, countsAsRetry, attempts }: PutBack,
): Promise<RunEnd> {
  const retryBody = attempts && isFields(task.body) ? { ...task.body, attempts } : undefined
  const end = {
    retryAt: now() + afterMs,
    countsAsRetry,
    staysBegun: true,
    ...(retryBody && { retryBody: sealBody(vault, claim.actor, retryBody) }),
  }
  const outcome = await retryCommit((id) => store.commit(claim, { ...end, id }), isStopped)
  if (outcome !== 'ok') return outcome
  return countsAsRetry ? 'failed' : 'put back'
}

async function setAside(deps: RunDeps, { claim, lease, task }: Run, err: unknown): Promise<RunEnd> {
  const work = newWork(deps, claim)
  work.note('set-aside')
  await deps.setAside({ ...task, work, begun: task.begun || lease.hasBegun() }, err)
  const outcome = await retryCommit((id) => work.commit({ id }), deps.isStopped)
  if (outcome === 'ok') tell(deps, work, task.trace)
  return outcome === 'ok' ? 'set aside' : outcome
}

/** Another worker says it all: what was said here is taken back, unless that worker counts on it as said before. */
async function undoOwn({ task, undo }: Run): Promise<void> {
  if (earlierRunsOf(task.body).said.length === 0) await undo()
}

function tell({ log, onMilestone }: RunDeps, { noted }: UnitOfWork, trace: string): void {
  for (const milestone of noted) {
    log.info({ trace }, milestone)
    onMilestone?.(milestone)
  }
}
