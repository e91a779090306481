/** What the bot may be in the middle of: a call that may make a profile, a part of a result, a call about a record. */
export type Moment = 'auth' | 'part' | 'call'

type Waiting = { moment: Moment; about: string; act: () => void }

/** So long a call takes that somebody has waited for, so that what they do falls into it. */
const LASTS_MS = 4_000

export type Moments = ReturnType<typeof createMoments>

/** Lets somebody act while the bot is in the middle of a call about what is theirs. */
export function createMoments() {
  const waiting = new Set<Waiting>()
  return {
    /** `about` is a token, or a chat. */
    awaits: (one: Waiting): void => void waiting.add(one),
    /** A call leaves; returns how much longer it takes. */
    comes(moments: readonly Moment[], about: string): number {
      const met = [...waiting].filter((each) => moments.includes(each.moment) && about.includes(each.about))
      for (const each of met) {
        waiting.delete(each)
        each.act()
      }
      return met.length > 0 ? LASTS_MS : 0
    },
  }
}
