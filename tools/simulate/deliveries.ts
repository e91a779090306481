import type { Broken } from './promises.ts'
import type { Host } from './time.ts'

/** A part of a result that Telegram has confirmed. */
type Copy = {
  at: number
  /** The steps that may have sent it, by their fences, and when each was kept. */
  steps: Map<string, number | undefined>
}

type Step = { host: Host; actor: string; fence: string }
/** When it began, and what had been skipped of the calendar by then: a lease ends by the date. */
type Begun = { actor: string; at: number; skippedMs: number }

/** An update may be under way for so long: whoever asked for their result so long before it came had asked in time. */
const ASKED_MS = 60_000

/** Watches the parts of results: once Telegram has confirmed one and the bot has kept that, it must not come again. */
export function createDeliveries({
  elapsed,
  skippedMs,
  tell,
}: {
  elapsed: () => number
  /** How far the calendar is ahead of what has passed. */
  skippedMs: () => number
  tell: (kind: Broken['kind'], what: string) => void
}) {
  const parts = new Map<string, Copy[]>()
  const asked = new Map<string, number[]>()
  /** By their fences: the steps that a host has under way, and when they began. */
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
    /** The bot has looked whether the delivery is still its own, and sends a part of it now. */
    begun({ host, actor, fence }: Step): void {
      if (actor.startsWith('result:'))
        begun.set(host, stepsOf(host).set(fence, { actor, at: elapsed(), skippedMs: skippedMs() }))
    },
    ended({ host, fence }: Step, isKept: boolean): void {
      stepsOf(host).delete(fence)
      if (!isKept) return
      for (const { steps } of [...parts.values()].flat()) if (steps.has(fence)) steps.set(fence, elapsed())
    },
    /** A part of a result leaves. */
    sends(key: string, host: Host): void {
      const copies = parts.get(key) ?? []
      const steps = stepsOf(host)
      // Once its lease is over somebody else goes on, who cannot know.
      const isUnderWay = (fence: string) => claims.get(steps.get(fence)?.actor ?? '') === fence
      const isHeard = (copy: Copy) => {
        const open = [...copy.steps].filter(([, keptAt]) => keptAt === undefined)
        return open.length > 0 && open.every(([fence]) => isUnderWay(fence))
      }
      // Whoever stood still since they looked does not know yet that somebody else went on.
      const stoodStill = [...steps.values()].some(
        (step) => step.at < host.frozenUntil || step.skippedMs !== skippedMs(),
      )
      const kept = copies.filter((copy) =>
        [...copy.steps.values()].every((keptAt) => keptAt !== undefined),
      ).length
      const since = (copies[0]?.at ?? 0) - ASKED_MS
      const wished = (asked.get(key.split(' ')[1] ?? '') ?? []).filter((at) => at >= since).length
      if (steps.size === 0) tell('doubled', `${key} left without a look at whose it is`)
      else if (copies.some(isHeard)) tell('doubled', `${key} came again in the step that had brought it`)
      else if (!stoodStill && kept > wished) tell('doubled', `${key} came again`)
    },
    /** Since when a host has had the messages that may have it send a part now. */
    hasSince: (host: Host): number =>
      Math.min(...[...stepsOf(host).keys()].map((fence) => claimedAt.get(fence) ?? 0)),
    confirmed(key: string, host: Host): void {
      // Where several are under way, all of them have to be kept before this one surely is.
      const copy = {
        at: elapsed(),
        steps: new Map([...stepsOf(host).keys()].map((fence) => [fence, undefined])),
      }
      parts.set(key, [...(parts.get(key) ?? []), copy])
    },
    /** Somebody may have asked for their result once more. */
    asksAgain(chat: number): void {
      asked.set(String(chat), [...(asked.get(String(chat)) ?? []), elapsed()])
    },
    /** A store that was put back does not know what was kept since; what is under way can be kept still. */
    putBack(to: number): void {
      for (const { steps } of [...parts.values()].flat())
        for (const [fence, keptAt] of steps)
          if (keptAt !== undefined && keptAt >= to) steps.set(fence, undefined)
    },
  }
}
