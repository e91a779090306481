import { budgetRules } from './budget.ts'
import type { BudgetValue, Standing } from './budget-value.ts'
import type { Lane } from './endpoints.ts'

/** Apart from who came before, in the same millisecond. */
const TICK_MS = 0.01

/**
 * Who waits for a slot: two lanes, in each those who are under way before what nobody has claimed, then by the time
 * since when they wait. An account has three places in all; its further calls wait outside, and whichever waits the
 * longest goes to the end of its lane when one of the three is left.
 */
export function lineAt(value: BudgetValue, t: number) {
  const laneOf = (lane: Lane): Standing[] =>
    value.waiting.filter((one) => one.lane === lane && !one.isOut).sort(inOrder)
  const more = (lane: Lane): number =>
    Object.values(value.replicas).reduce((sum, replica) => sum + replica.more[lane], 0)
  const lengthOf = (lane: Lane): number => laneOf(lane).length + more(lane)

  function arrival(): number {
    value.arrival = Math.max(t, value.arrival + TICK_MS)
    return value.arrival
  }

  return {
    head: (lane: Lane): Standing | undefined => laneOf(lane)[0],
    lengthOf,
    /** Who is there already, or has a slot, stays what they are. */
    enter(came: Standing): void {
      if (value.underWay[came.id] !== undefined || value.waiting.some(({ id }) => id === came.id)) return
      const since = came.since < t ? came.since : arrival()
      const places = value.waiting.filter((one) => !one.isOut && isOfAccount(one, came.account)).length
      const isOut = places >= budgetRules.placesOfAccount
      value.waiting.push({ ...came, since, ...(isOut && { isOut }) })
    },
    /** Whoever is not there has left already. */
    leave(id: string): void {
      const left = value.waiting.find((one) => one.id === id)
      if (!left) return
      value.waiting = value.waiting.filter((one) => one !== left)
      if (left.isOut) return
      const [next] = value.waiting.filter((one) => one.isOut && isOfAccount(one, left.account)).sort(inOrder)
      if (!next) return
      delete next.isOut
      next.since = arrival()
    },
    /** Counted from 1; who waits outside comes after the last. Participants stand before all of the background. */
    placeOf(id: string, lane: Lane): number {
      const index = laneOf(lane).findIndex((one) => one.id === id)
      const ahead = index < 0 ? lengthOf(lane) : index
      return ahead + 1 + (lane === 'background' ? lengthOf('participant') : 0)
    },
  }
}

const isOfAccount = (one: Standing, account: string) => account !== '' && one.account === account

/** Sorts who comes first to the front. */
export const inOrder = (one: Pick<Standing, 'rank' | 'since'>, other: Pick<Standing, 'rank' | 'since'>) =>
  one.rank - other.rank || one.since - other.since
