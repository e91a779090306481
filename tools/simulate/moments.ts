import type { Chance } from './chance.ts'
import type { World } from './sizes.ts'
import type { Step } from './visits.ts'

/** What the bot may be in the middle of: a call that may make a profile, a part of a result, a call about a record, a release. */
export type Moment = 'auth' | 'part' | 'call' | 'release'

type Waiting = { moment: Moment; about: string; act: () => void }

/** So long a call takes that somebody has waited for, so that what they do falls into it. */
const LASTS_MS = 4_000

export type Moments = ReturnType<typeof createMoments>

/** Steps during whose commit people go on, in so many of them where all are in haste. */
const COMMITS: Partial<Record<Step, number>> = { release: 0.5, forget: 0.3 }

/** Lets somebody act while the bot is in the middle of a call about what is theirs. */
export function createMoments({ chance, isHasty }: { chance: Chance } & Pick<World, 'isHasty'>) {
  const waiting = new Set<Waiting>()
  /** What somebody has waited for leaves; returns how much longer it takes. */
  function comes(moments: readonly Moment[], about: string): number {
    const met = [...waiting].filter((each) => moments.includes(each.moment) && about.includes(each.about))
    for (const each of met) {
      waiting.delete(each)
      each.act()
    }
    return met.length > 0 ? LASTS_MS : 0
  }
  return {
    /** `about` is a token, a chat, or the id of what is released. */
    awaits: (one: Waiting): void => void waiting.add(one),
    comes,
    /** A commit that writes these keys carries a step out; returns how much longer it takes. */
    commits(step: Step, keys: readonly string[]): number {
      const metMs = step === 'release' ? comes(['release'], keys.join(' ')) : 0
      return metMs === 0 && isHasty && chance.is(COMMITS[step] ?? 0) ? LASTS_MS : metMs
    },
  }
}
