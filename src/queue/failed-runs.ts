import type { SentParts } from '../telegram/sender.ts'
import type { TakeBack } from './job.ts'

export type FailedRuns = ReturnType<typeof createFailedRuns>

/** Tracks what the runs of a message send: the next run does not repeat kept sends; others are deleted. */
export function createFailedRuns() {
  const sentIds = new Set<number>()
  let takeBack: TakeBack | undefined
  let kept: SentParts['before'] | undefined

  return {
    onFailedRun(act: TakeBack): void {
      takeBack = act
    },
    /** The sends that are kept so far; `undefined` before the first run. */
    get kept() {
      return kept
    },
    /** After a run: keeps `standing` of all sends, or all of `sent` where the handler set no `onFailedRun`. */
    async ran(sent: SentParts, standing: SentParts['before'], earlier: SentParts['before']): Promise<void> {
      for (const { id } of [...earlier, ...sent.now]) sentIds.add(id)
      kept = takeBack ? standing : allOf(sent)
      for (const { id } of kept) sentIds.delete(id)
      if (sentIds.size > 0) await takeBack?.([...sentIds])
      sentIds.clear()
      for (const { id } of kept) sentIds.add(id)
    },
  }
}

/** The sends of both runs: this run may have ended before it got as far as the run before. */
export const allOf = ({ before, now }: SentParts): SentParts['before'] => [
  ...now,
  ...before.slice(now.length),
]
