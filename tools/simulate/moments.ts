import type { Chance } from './chance.ts'
import type { World } from './sizes.ts'
import type { Step } from './visits.ts'

/** What the bot can be in the middle of: a call that may make a profile, a part of a result, any call, or a release. */
export type Moment = 'auth' | 'part' | 'call' | 'release'

type Waiting = { moment: Moment; about: string; act: () => void }

/** The extra time of an awaited call, so that the person acts during it. */
const LASTS_MS = 4_000

export type Moments = ReturnType<typeof createMoments>

/** The share of these steps' commits that are slow in hasty worlds, so that people act during them. */
const COMMITS: Partial<Record<Step, number>> = { release: 0.5, forget: 0.3 }

/** Lets a person act while the bot is in the middle of a call about their test. */
export function createMoments({ chance, isHasty }: { chance: Chance } & Pick<World, 'isHasty'>) {
  const waiting = new Set<Waiting>()
  /** A moment comes: runs what waited for it, and returns the extra time of the call. */
  function comes(moments: readonly Moment[], about: string): number {
    const met = [...waiting].filter((each) => moments.includes(each.moment) && about.includes(each.about))
    for (const each of met) {
      waiting.delete(each)
      each.act()
    }
    return met.length > 0 ? LASTS_MS : 0
  }
  return {
    /** `about` is a token, a chat, or the id of the released record. */
    awaits: (one: Waiting): void => void waiting.add(one),
    comes,
    /** A commit with these keys carries a step out; returns the extra time of the commit. */
    commits(step: Step, keys: readonly string[]): number {
      const metMs = step === 'release' ? comes(['release'], keys.join(' ')) : 0
      return metMs === 0 && isHasty && chance.is(COMMITS[step] ?? 0) ? LASTS_MS : metMs
    },
  }
}
