import { type Attempt, isAttempt, openAttempt } from '../../domain/attempt-layout.ts'
import { DAY_MS } from '../../domain/durations.ts'
import type { Store } from '../store.ts'
import * as documents from './kinds.ts'

/** How long a count is reused. */
const REUSED_FOR_MS = 60_000
/** An open attempt without an answer for this long may be abandoned. */
const IDLE_MS = DAY_MS

/** The kinds of documents that are counted for the operator, by their prefixes. */
const NAMES: Readonly<Record<string, string>> = {
  [documents.accounts.prefix]: 'account',
  [documents.recordFiles.prefix]: 'record',
  [documents.owedResults.prefix]: 'owed-result',
  [documents.blockedDeliveries.prefix]: 'blocked-delivery',
  [documents.deadLetters.prefix]: 'set-aside',
}

type Status = 'open' | 'idle' | 'paused' | 'complete' | 'sending'
type Kept = {
  documents: Record<string, number>
  attempts: Record<Status, number>
  /** Time since the last answer of the oldest attempt that is complete and not accepted. */
  oldestSendingMs: number
}

/** Counts stored documents, at most once a minute. It yields to the event loop after each page. */
export function createKeptCount({ store, now }: { store: Pick<Store, 'census'>; now: () => number }) {
  let last: { at: number; kept: Promise<Kept> } | undefined

  async function count(at: number): Promise<Kept> {
    const kept: Kept = {
      documents: Object.fromEntries(Object.values(NAMES).map((name) => [name, 0])),
      attempts: { open: 0, idle: 0, paused: 0, complete: 0, sending: 0 },
      oldestSendingMs: 0,
    }
    for (let page = await store.census(); ; page = await store.census(page.next)) {
      for (const [prefix, found] of Object.entries(page.counts)) {
        const name = NAMES[prefix]
        if (name !== undefined) kept.documents[name] = (kept.documents[name] ?? 0) + found
      }
      for (const attempt of page.attempts.filter(isAttempt).map(openAttempt)) {
        const status = statusOf(attempt, at)
        kept.attempts[status] += 1
        const sendingMs = status === 'sending' ? at - attempt.lastActivityAt : 0
        kept.oldestSendingMs = Math.max(kept.oldestSendingMs, sendingMs)
      }
      if (page.next === undefined) return kept
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  return async (): Promise<Kept> => {
    const at = now()
    if (!last || at - last.at >= REUSED_FOR_MS) last = { at, kept: count(at) }
    const { kept } = last
    return kept.catch((error: unknown) => {
      if (last?.kept === kept) last = undefined
      throw error
    })
  }
}

function statusOf({ state, answered, questions, lastActivityAt }: Attempt, at: number): Status {
  if (state === 'locked') return 'sending'
  if (state === 'paused') return 'paused'
  if (answered === questions) return 'complete'
  return at - lastActivityAt < IDLE_MS ? 'open' : 'idle'
}
