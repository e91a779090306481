import type { SentParts } from '../telegram/sender.ts'
import type { TakeBack } from './job.ts'

export type Vain = ReturnType<typeof createVain>

/** What the runs at one message have said: what stands is not said again by the next one, all else is taken back. */
export function createVain() {
  const spoken = new Set<number>()
  let takeBack: TakeBack | undefined
  let stands: SentParts['before'] | undefined

  return {
    onVain(act: TakeBack): void {
      takeBack = act
    },
    /** What stands of the runs so far; `undefined` before the first one. */
    get stands() {
      return stands
    },
    /** After a run: `standing` of all that was said, `earlier` by others, too; or everything where it cannot be taken back. */
    async ran(sent: SentParts, standing: SentParts['before'], earlier: SentParts['before']): Promise<void> {
      for (const { id } of [...earlier, ...sent.now]) spoken.add(id)
      stands = takeBack ? standing : allOf(sent)
      for (const { id } of stands) spoken.delete(id)
      if (spoken.size > 0) await takeBack?.([...spoken])
      spoken.clear()
      for (const { id } of stands) spoken.add(id)
    },
  }
}

/** This run may have ended before it came as far as the one before. */
export const allOf = ({ before, now }: SentParts): SentParts['before'] => [
  ...now,
  ...before.slice(now.length),
]
