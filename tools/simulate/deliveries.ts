import type { Broken } from './promises.ts'
import type { Host } from './time.ts'

/** A part of a result that Telegram has confirmed. */
type Copy = {
  at: number
  /** The steps that may have sent it, by their fences, and when the commit of each was stored. */
  steps: Map<string, number | undefined>
}

type Step = { host: Host; actor: string; fence: string }
/** When it began, and how much of the calendar was skipped by then, because a lease ends by the date. */
type Begun = { actor: string; at: number; skippedMs: number }

/** An update may take this long: a request for a result counts if it came at most this long before the result. */
const ASKED_MS = 60_000

/** Watches the parts of results: a part is not sent again once Telegram has confirmed it and the bot has stored that. */
export function createDeliveries({
  elapsed,
  skippedMs,
  report,
}: {
  elapsed: () => number
  /** How far the calendar is ahead of the elapsed time. */
  skippedMs: () => number
  report: (kind: Broken['kind'], what: string) => void
}) {
  const parts = new Map<string, Copy[]>()
  const asked = new Map<string, number[]>()
  /** The steps that each host has under way, by their fences. */
  const begun = new Map<Host, Map<string, Begun>>()
  const stepsOf = (host: Host) => begun.get(host) ?? new Map<string, Begun>()
  /** The newest claim of each delivery. */
  const claims = new Map<string, string>()
  const claimedAt = new Map<string, number>()

  return {
    claimed({ actor, fence }: Omit<Step, 'host'>): void {
      if (!actor.startsWith('result:')) return
      claims.set(actor, fence)
      claimedAt.set(fence, elapsed())
    },
    /** The bot has checked that it still holds the delivery, and sends a part now. */
    begun({ host, actor, fence }: Step): void {
      if (actor.startsWith('result:'))
        begun.set(host, stepsOf(host).set(fence, { actor, at: elapsed(), skippedMs: skippedMs() }))
    },
    ended({ host, fence }: Step, isKept: boolean): void {
      stepsOf(host).delete(fence)
      if (!isKept) return
      for (const { steps } of [...parts.values()].flat()) if (steps.has(fence)) steps.set(fence, elapsed())
    },
    /** The bot sends a part of a result. */
    sends(key: string, host: Host): void {
      const copies = parts.get(key) ?? []
      const steps = stepsOf(host)
      // Once the lease is over another replica goes on, which cannot know of this part.
      const isUnderWay = (fence: string) => claims.get(steps.get(fence)?.actor ?? '') === fence
      const isHeard = (copy: Copy) => {
        const open = [...copy.steps].filter(([, keptAt]) => keptAt === undefined)
        return open.length > 0 && open.every(([fence]) => isUnderWay(fence))
      }
      // A replica that was frozen since its check does not know yet that another one went on.
      const stoodStill = [...steps.values()].some(
        (step) => step.at < host.frozenUntil || step.skippedMs !== skippedMs(),
      )
      const kept = copies.filter((copy) =>
        [...copy.steps.values()].every((keptAt) => keptAt !== undefined),
      ).length
      const since = (copies[0]?.at ?? 0) - ASKED_MS
      const wished = (asked.get(key.split(' ')[1] ?? '') ?? []).filter((at) => at >= since).length
      if (steps.size === 0) report('doubled', `${key} was sent without a check of its delivery`)
      else if (copies.some(isHeard)) report('doubled', `${key} was sent twice in one step`)
      else if (!stoodStill && kept > wished) report('doubled', `${key} came again`)
    },
    /** When the host claimed the messages for which it may be sending a part now. */
    hasSince: (host: Host): number =>
      Math.min(...[...stepsOf(host).keys()].map((fence) => claimedAt.get(fence) ?? 0)),
    confirmed(key: string, host: Host): void {
      // If several steps are under way, the part is surely stored only once all of them are.
      const copy = {
        at: elapsed(),
        steps: new Map([...stepsOf(host).keys()].map((fence) => [fence, undefined])),
      }
      parts.set(key, [...(parts.get(key) ?? []), copy])
    },
    /** The person may have asked for their result again. */
    asksAgain(chat: number): void {
      asked.set(String(chat), [...(asked.get(String(chat)) ?? []), elapsed()])
    },
    /** A store that was put back has lost the later commits; steps that are under way can still commit. */
    putBack(to: number): void {
      for (const { steps } of [...parts.values()].flat())
        for (const [fence, keptAt] of steps)
          if (keptAt !== undefined && keptAt >= to) steps.set(fence, undefined)
    },
  }
}
