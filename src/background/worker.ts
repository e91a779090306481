import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../observe/logger.ts'
import { openBody } from '../store/documents.ts'
import type { Claim, Commit, Store } from '../store/store.ts'
import { createUnitOfWork, type UnitOfWork } from '../store/unit-of-work.ts'
import type { Vault } from '../store/vault.ts'
import { actorKind } from './actors.ts'

/** How the handling of a message ends: it is done, or comes again at a time (perhaps changed). */
export type JobEnd = undefined | { retryAt: number; retryBody?: object; countsAsRetry?: boolean }

export type Job = {
  actor: string
  body: unknown
  work: UnitOfWork
  /** An earlier worker died while it handled this message: what it had begun may have happened. */
  interrupted: boolean
  retries: number
  /** What to do when another worker was faster, before the message is handled again on fresh state. */
  onConflict(undo: () => Promise<void>): void
}

export type JobHandler = (job: Job) => Promise<JobEnd>

export type Worker = {
  /** Looks for messages at once, not at the next look. */
  wake(): void
  /** How many messages are being handled, counting a look for more. */
  busy(): number
  /** Takes nothing new and waits for what is being handled. */
  stop(): Promise<void>
}

/** So long waits a message whose process was killed. */
const LEASE_MS = 10_000
const LOOK_MS = 500
/** Jobs that may wait long for a slot of the budget: they take no room from the chats. */
const WAITING_KINDS = new Set(['call', 'submit', 'result', 'generation', 'opening'])
const SERVICE_CONCURRENCY = 2_000
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000]
const CONFLICTS = 5
const COMMIT_TRIES = 15
const COMMIT_AGAIN_MS = 500

/**
 * Claims actors whose message is due and hands it to the handler of their kind. A handler that throws is tried
 * again with back-off; then `setAside` keeps the message out of the way and tells whom it concerns.
 */
export function createWorker(deps: {
  store: Store
  vault: Vault
  now: () => number
  log: Log
  handlers: Readonly<Record<string, JobHandler>>
  /** After how long an error has passed by itself (Telegram is away); the message is put back without counting. */
  passesInMs: (error: unknown) => number | undefined
  setAside: (job: Job, error: unknown) => void
  onEnd: (actor: string, outcome: string) => void
  concurrency?: number
}): Worker {
  const { store, vault, now, log, handlers, passesInMs, setAside, onEnd, concurrency = 32 } = deps
  const running = { here: 0, service: 0 }
  const all = () => running.here + running.service
  let stopped = false
  let looking = false
  let lookAgain = false
  const idle = new Set<() => void>()
  const timer = setInterval(() => look(), LOOK_MS)

  let current = Promise.resolve()
  function look(): void {
    if (looking) lookAgain = true
    else current = lookNow()
  }

  async function lookNow(): Promise<void> {
    looking = true
    try {
      do {
        lookAgain = false
        while (!stopped && running.here < concurrency && running.service < SERVICE_CONCURRENCY) {
          const claim = await store.claim(LEASE_MS)
          if (!claim) break
          const place = WAITING_KINDS.has(actorKind(claim.actor)) ? 'service' : 'here'
          running[place] += 1
          void handle(claim).finally(() => {
            running[place] -= 1
            if (all() === 0) for (const resolve of idle) resolve()
            look()
          })
        }
      } while (lookAgain && !stopped)
    } catch (err) {
      log.error({ err }, 'store does not hand out work')
    } finally {
      looking = false
    }
  }

  async function handle(claim: Claim): Promise<void> {
    const renewal = setInterval(() => {
      store.renew(claim, LEASE_MS).catch((err: unknown) => log.warn({ err }, 'lease not renewed'))
    }, LEASE_MS / 3)
    try {
      for (let tries = 0; tries < CONFLICTS; tries += 1) {
        const outcome = await attempt(claim)
        onEnd(actorKind(claim.actor), outcome)
        if (outcome !== 'conflict') return
      }
      await store.commit(claim, { retryAt: now() + 1_000, countsAsRetry: false })
    } catch (err) {
      // The lease runs out by itself, and the message comes again.
      log.error({ err, actor: actorKind(claim.actor) }, 'message not committed')
    } finally {
      clearInterval(renewal)
    }
  }

  async function attempt(claim: Claim): Promise<'ok' | 'lost' | 'conflict'> {
    const { message, actor } = claim
    const newWork = () => createUnitOfWork({ store, vault }, claim)
    let undo = async () => {}
    let body: unknown
    const job = (work: UnitOfWork): Job => ({
      actor,
      body,
      work,
      interrupted: message.interrupted,
      retries: message.retries,
      onConflict: (act) => {
        undo = act
      },
    })
    const kind = actorKind(actor)
    const work = newWork()
    let end: Parameters<UnitOfWork['commit']>[0] = {}
    try {
      const handler = handlers[kind]
      if (!handler) throw new Error(`no handler for ${kind}`)
      body = openBody(vault, actor, message.body)
      end = (await handler(job(work))) ?? {}
    } catch (err) {
      const passesIn = passesInMs(err)
      const retryMs = passesIn ?? RETRY_MS[message.retries]
      log.error({ err, actor: kind, retries: message.retries }, 'message not handled')
      if (retryMs !== undefined) {
        return store.commit(claim, {
          retryAt: now() + retryMs,
          countsAsRetry: passesIn === undefined,
        } satisfies Commit)
      }
      const last = newWork()
      setAside(job(last), err)
      return last.commit()
    }
    const outcome = await insist(() => work.commit(end))
    if (outcome === 'conflict') await undo()
    return outcome
  }

  /** While the store is away: what was done outside, such as a message sent, is not to be done once more. */
  async function insist<T>(commit: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await commit()
      } catch (err) {
        if (tries === COMMIT_TRIES || stopped) throw err
        await delay(COMMIT_AGAIN_MS)
      }
    }
  }

  look()
  return {
    wake: () => look(),
    busy: () => all() + (looking ? 1 : 0),
    async stop() {
      stopped = true
      clearInterval(timer)
      await current
      if (all() > 0) {
        await new Promise<void>((resolve) => {
          idle.add(resolve)
        })
      }
    },
  }
}
