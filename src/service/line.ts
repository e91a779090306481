import { budgetRules, type Rank } from './budget.ts'
import type { Lane } from './endpoints.ts'

export type Standing = { lane: Lane; rank: Rank; since: number; account?: string | undefined }

/**
 * Who waits for a slot: two lanes, in each those who are under way before what nobody has claimed, then by the time
 * since when they wait. An account has three places in all; its further calls wait outside, and whichever waits the
 * longest goes to the end of its lane when one of the three is left.
 */
export function createLine<W extends Standing>() {
  const lanes: Record<Lane, W[]> = { participant: [], background: [] }
  const places = new Map<string, number>()
  const outside = new Map<string, W[]>()

  function stand(waiter: W): void {
    const { lane, account } = waiter
    if (account !== undefined) places.set(account, (places.get(account) ?? 0) + 1)
    insert(lanes[lane], waiter)
  }

  function leaveLane(waiter: W, now: number): void {
    const { lane, account } = waiter
    remove(lanes[lane], waiter)
    if (account === undefined) return
    places.set(account, (places.get(account) ?? 0) - 1)
    const next = outside.get(account)?.shift()
    if (next) {
      next.since = now
      stand(next)
    }
    if (!outside.get(account)?.length) outside.delete(account)
    if (!places.get(account)) places.delete(account)
  }

  return {
    enter(waiter: W): void {
      const { account } = waiter
      if (account !== undefined && (places.get(account) ?? 0) >= budgetRules.placesOfAccount) {
        const others = outside.get(account) ?? []
        outside.set(account, others)
        insert(others, waiter)
      } else {
        stand(waiter)
      }
    },
    /** Whoever is not there has left already. */
    leave(waiter: W, now: number): void {
      if (lanes[waiter.lane].includes(waiter)) leaveLane(waiter, now)
      else remove(outside.get(waiter.account ?? '') ?? [], waiter)
    },
    head: (lane: Lane): W | undefined => lanes[lane][0],
    /** Counted from 1; who waits outside comes after the last. Participants stand before all of the background. */
    placeOf(waiter: W): number {
      const index = lanes[waiter.lane].indexOf(waiter)
      const ahead = index < 0 ? lanes[waiter.lane].length : index
      return ahead + 1 + (waiter.lane === 'background' ? lanes.participant.length : 0)
    },
    everyone: (): W[] => [...lanes.participant, ...lanes.background, ...[...outside.values()].flat()],
  }
}

const ORDER: Record<Rank, number> = { underWay: 0, unclaimed: 1 }

function insert(line: Standing[], waiter: Standing): void {
  const isBefore = (other: Standing) => ORDER[waiter.rank] - ORDER[other.rank] || waiter.since - other.since
  let index = line.length
  for (let before = line[index - 1]; before && isBefore(before) < 0; before = line[index - 1]) index -= 1
  line.splice(index, 0, waiter)
}

function remove<W>(line: W[], waiter: W): void {
  const index = line.indexOf(waiter)
  if (index >= 0) line.splice(index, 1)
}
