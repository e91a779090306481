import { randomBytes } from 'node:crypto'
import { type AcquireOptions, budgetRules } from './budget.ts'
import type { Said } from './budget-rules.ts'
import type { BudgetValue, Standing } from './budget-value.ts'
import type { Lane } from './endpoints.ts'
import { inOrder } from './line.ts'
import type { Waiting } from './wait-for-slot.ts'

/** Since `cameAt` it waits; its place in line goes by a later time where its account had too many of them. */
type Waiter = { standing: Standing; cameAt: number; waiting: Waiting; toldAt: number }

/** It has just come: since when it waits is said by the store's clock. */
const NOT_YET = Number.MAX_SAFE_INTEGER

/** One replica's own part: who waits, which calls it makes, and what the others were not told yet. */
export function createBudgetReplica() {
  const replica = randomBytes(6).toString('base64url')
  const waiters = new Map<string, Waiter>()
  const calls = new Set<string>()
  const ended: string[] = []
  const pauses: (number | undefined)[] = []
  let numbers = 0

  return {
    waiters,
    pauses,
    isWaiting: () => waiters.size > 0,
    isCalling: () => calls.size > 0,
    /** Whether the others have not heard of an end or a pause. */
    isUnheard: () => ended.length + pauses.length > 0,
    add(standing: Standing, waiting: Waiting): void {
      const { id, since: cameAt } = standing
      waiters.set(id, { standing, cameAt, waiting, toldAt: Number.NEGATIVE_INFINITY })
    },
    standingOf(lane: Lane, { rank, account = '', since = NOT_YET }: AcquireOptions): Standing {
      const id = `${replica}.${(numbers++).toString(36)}`
      return { id, lane, rank: rank === 'unclaimed' ? 1 : 0, account, since }
    },
    say(): Said {
      const [participants, background] = [firstOf(waiters, 'participant'), firstOf(waiters, 'background')]
      return {
        replica,
        waiting: [...participants.standing, ...background.standing],
        more: { participant: participants.more, background: background.more },
        calls: [...calls],
        ended: [...ended],
        pauses: [...pauses],
      }
    },
    /** All of this is in the store. */
    heard(said: Said): void {
      ended.splice(0, said.ended.length)
      pauses.splice(0, said.pauses.length)
    },
    /** Keeps since when each waits, so that it has its place again whatever becomes of it in the store. */
    remember(value: BudgetValue, at: number): void {
      const known = new Map(value.waiting.map(({ id, since }) => [id, since]))
      for (const waiter of waiters.values()) {
        const { standing, cameAt } = waiter
        waiter.cameAt = Math.min(cameAt, at)
        standing.since = known.get(standing.id) ?? Math.min(standing.since, at)
      }
    },
    /** Hands out its slot; `onEnd` when the call is over or was not made. */
    begin({ standing: { id }, waiting }: Waiter, onEnd: () => Promise<void>): void {
      waiters.delete(id)
      calls.add(id)
      const cancel = async () => {
        if (calls.delete(id)) await onEnd()
      }
      const release = () => {
        if (calls.has(id)) ended.push(id)
        return cancel()
      }
      waiting.grant({ release, cancel })
    },
  }
}

/** Who of a lane stands in line for this replica, and how many more wait: a crowd would make the value long. */
function firstOf(waiters: ReadonlyMap<string, Waiter>, lane: Lane) {
  const all = [...waiters.values()].filter(({ standing }) => standing.lane === lane)
  const came = ({ standing: { rank }, cameAt }: Waiter) => ({ rank, since: cameAt })
  const sorted = all.sort((one, other) => inOrder(came(one), came(other))).map(({ standing }) => standing)
  const standing = withoutCrowds(sorted).slice(0, budgetRules.placesOfReplica)
  return { standing, more: all.length - standing.length }
}

/** Of one account those that can have its places, and as many that wait for them: no account fills the line. */
function withoutCrowds(sorted: readonly Standing[]): Standing[] {
  const seen = new Map<string, number>()
  return sorted.filter(({ account }) => {
    const count = (seen.get(account) ?? 0) + 1
    seen.set(account, count)
    return account === '' || count <= 2 * budgetRules.placesOfAccount
  })
}
