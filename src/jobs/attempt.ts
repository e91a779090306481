import { isFields } from '../domain/fields.ts'
import { UnreadableError } from '../domain/unreadable.ts'
import { type ActorKind, actorId, actorKind } from '../mail/actors.ts'
import type { Log } from '../observe/logger.ts'
import type { Milestone } from '../observe/milestones.ts'
import { openBody, sealBody, type Term } from '../store/documents.ts'
import type { Claim, Store } from '../store/store.ts'
import { createUnitOfWork, type UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import type { Said, Sender } from '../telegram/sender.ts'
import { type Attempts, attemptsOf, comesAgain, type Passing } from './failing.ts'
import { insist } from './insist.ts'
import { keepLease, type Lease, unlessAborted } from './lease.ts'
import type { Handler, JobEnd, Task } from './task.ts'
import { traceMessage } from './trace.ts'

const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000]
const CONFLICTS = 5
const CONFLICT_PAUSE_MS = 1_000

export type AttemptDeps = {
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
  onEnd: (actor: string, outcome: AttemptEnd) => void
  /** Told of what was noted, once it is kept. */
  onMilestone?: (milestone: Milestone) => void
}

/**
 * How an attempt ends. `conflict`: another worker was faster, it is tried again at once; `lost`: another worker has the
 * message; `put back`: it comes again, since Telegram is away or this process stops; `failed`: it comes again.
 */
type AttemptEnd = 'ok' | 'conflict' | 'lost' | 'put back' | 'failed' | 'set aside'

/**
 * Handles a claimed message and commits what came of it: once more on fresh state where another worker was faster, and
 * later, with back-off, where the handler throws.
 */
export function createAttempts(deps: AttemptDeps & { isStopped: () => boolean }) {
  const { store, vault, term, now, log, handlers, passes, setAside, onEnd, isStopped, sender } = deps
  const onUnreadable = (err: unknown) => log.error({ err }, 'kept value begun anew')
  const newWork = (claim: Claim) => createUnitOfWork({ store, vault, term: term(), onUnreadable }, claim)

  async function handle(claim: Claim, abort = new AbortController()): Promise<void> {
    const kind = actorKind(claim.actor)
    const lease = keepLease(deps, claim, abort)
    const startedAt = now()
    try {
      for (let tries = 0; tries < CONFLICTS; tries += 1) {
        const { outcome, about } = await attempt(
          claim,
          lease,
          kind,
          tries === 0 ? 'first' : 'after a conflict',
        )
        onEnd(kind ?? 'unknown', outcome)
        log.info({ actor: kind, ...about, outcome, ms: now() - startedAt }, 'handled')
        if (outcome !== 'conflict') return
      }
      await store.commit(claim, {
        retryAt: now() + CONFLICT_PAUSE_MS,
        countsAsRetry: false,
        staysBegun: true,
      })
    } catch (err) {
      // The lease runs out by itself, and the message comes again.
      log.error({ err, actor: kind }, 'message not committed')
    } finally {
      lease.end()
    }
  }

  async function attempt(
    claim: Claim,
    lease: Lease,
    kind: ActorKind | undefined,
    attempts: 'first' | 'after a conflict',
  ): Promise<{ outcome: AttemptEnd; about: ReturnType<typeof traceMessage> }> {
    let undo = async () => {}
    const said: Said = { before: [], now: [] }
    const task = taskOf(claim, newWork(claim), lease, (act) => {
      undo = act
    })
    const keyOf = (text: string) => vault.hash('said', text)
    task.sender = sender?.onTask({ signal: lease.signal, said, keyOf })
    let end: JobEnd<object>
    let about = traceMessage(claim.actor, undefined)
    try {
      if (!kind) throw new Error('nobody handles this actor')
      task.body = openBody(vault, claim.actor, claim.message.body)
      about = traceMessage(claim.actor, task.body)
      task.trace = about.trace
      said.before = attempts === 'first' ? attemptsOf(task.body).said : []
      end = await unlessAborted(lease.signal, () => handlers[kind](task))
    } catch (err) {
      const ended = await failed(claim, lease, { task, said: said.now }, err)
      if (ended === 'lost') await undoOwn(task, undo)
      return { outcome: ended, about }
    }
    const outcome = await insist(() => task.work.commit(end), isStopped)
    if (outcome === 'conflict') await undo()
    if (outcome === 'lost') await undoOwn(task, undo)
    if (outcome === 'ok') tell(task.work, task.trace)
    return { outcome, about }
  }

  function tell({ noted }: UnitOfWork, trace: string): void {
    for (const milestone of noted) {
      log.info({ trace }, milestone)
      deps.onMilestone?.(milestone)
    }
  }

  /** What a handler that throws has written and posted is dropped. */
  async function failed(
    claim: Claim,
    lease: Lease,
    { task, said }: { task: Task<unknown>; said: Attempts['said'] },
    err: unknown,
  ): Promise<AttemptEnd> {
    const actor = actorKind(task.actor)
    if (lease.isLost()) {
      log.warn({ actor }, 'lease lost')
      return 'lost'
    }
    async function putBack(afterMs: number, countsAsRetry: boolean, attempts?: Attempts) {
      const retryBody = attempts && isFields(task.body) ? { ...task.body, attempts } : undefined
      const outcome = await store.commit(claim, {
        retryAt: now() + afterMs,
        countsAsRetry,
        staysBegun: true,
        ...(retryBody && { retryBody: sealBody(vault, claim.actor, retryBody) }),
      })
      if (outcome !== 'ok') return outcome
      return countsAsRetry ? 'failed' : 'put back'
    }
    const before = attemptsOf(task.body)
    if (lease.isStopping()) return putBack(0, false, said.length > 0 ? { ...before, said } : undefined)
    // A harmed value does not mend itself.
    const isHopeless = err instanceof UnreadableError
    if (!isHopeless) log.error({ err, actor, retries: task.retries }, 'message not handled')
    const passing = isHopeless ? undefined : passes(err)
    const again = passing && comesAgain(before, passing, said, now())
    if (again) return putBack(again.afterMs, false, again.attempts)
    const retryMs = isHopeless || passing ? undefined : RETRY_MS[task.retries]
    if (retryMs !== undefined)
      return putBack(retryMs, true, said.length > 0 ? { ...before, said } : undefined)
    const last = newWork(claim)
    last.note('set-aside')
    await setAside({ ...task, work: last }, err)
    const outcome = await last.commit()
    if (outcome === 'ok') tell(last, task.trace)
    return outcome === 'ok' ? 'set aside' : outcome
  }

  return handle
}

/** Another worker says it all: what was said here is taken back, unless that worker counts on it as said before. */
async function undoOwn({ body }: Task<unknown>, undo: () => Promise<void>): Promise<void> {
  if (attemptsOf(body).said.length === 0) await undo()
}

/** A claimed message whose body is not opened yet. */
const taskOf = (
  { actor, message: { begun, retries } }: Claim,
  work: UnitOfWork,
  { signal, begin, hasBegun }: Lease,
  onConflict: Task<unknown>['onConflict'],
): Task<unknown> => ({
  actor,
  id: actorId(actor),
  body: undefined,
  work,
  begun: begun || hasBegun(),
  signal,
  begin,
  retries,
  trace: traceMessage(actor, undefined).trace,
  sender: undefined,
  onConflict,
})
