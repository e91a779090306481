import type { Part } from './health.ts'

type OperatorsDeps = {
  /** Tells every operator; rejects while nobody can be told. */
  tell: (part: Part, isOk: boolean, since: number) => Promise<void>
  /** Whether it is for this replica to tell: `false` where another one has. Rejects while the store is away. */
  claim: (part: Part, isOk: boolean) => Promise<boolean>
  now: () => number
}

/** A part that fails for less is not worth a night. */
const PATIENCE_MS = 20_000
const CLAIM_MS = 2_000

type Standing = {
  isOk: boolean
  since: number
  elapsed: number
  /** What there is to tell was told, by whomever. */
  isSettled: boolean
  /** It is for this replica to tell: it was the first in the store, or asked in vain. */
  isMine: boolean
  /** The failure before was told without the store, so its end is, too. */
  wasAlone: boolean
}

/**
 * Tells the operators of a part that does not work, once, and when it is over, by whatever still works: where the store is
 * away each replica tells, and what could not be told while Telegram was away is told after.
 */
export function createOperators({ tell, claim, now }: OperatorsDeps) {
  const parts = new Map<Part, Standing>()

  /** `undefined` where nobody can ask the others. */
  const ask = (part: Part, isOk: boolean): Promise<boolean | undefined> =>
    Promise.race([
      claim(part, isOk),
      new Promise<undefined>((resolve) => setTimeout(resolve, CLAIM_MS, undefined).unref()),
    ]).catch(() => undefined)

  async function settle(part: Part, standing: Standing): Promise<void> {
    const { isOk, since, elapsed } = standing
    if (standing.isSettled || (!isOk && performance.now() - elapsed < PATIENCE_MS)) return
    standing.isSettled = true
    if (!standing.isMine) {
      const isFirst = await ask(part, isOk)
      standing.isMine = isFirst ?? !isOk
      // What was well from the beginning may have been told as failing in an earlier life: nobody knows without the store.
      if (isFirst === undefined && isOk) standing.isSettled = false
      if (isFirst === undefined && !isOk) standing.wasAlone = true
    }
    if (!standing.isMine) return
    await tell(part, isOk, since).catch(() => {
      standing.isSettled = false
    })
  }

  return {
    /** What a look has found. */
    note(part: Part, isOk: boolean): void {
      const known = parts.get(part)
      if (known?.isOk === isOk) return
      // What nobody was told of needs no end.
      const isSettled = isOk && known !== undefined && !known.isSettled && !known.isMine
      const isMine = isOk && known?.wasAlone === true
      parts.set(part, { isOk, since: now(), elapsed: performance.now(), isSettled, isMine, wasAlone: false })
    },
    /** Tells what is to be told. */
    settle: async (): Promise<void> => {
      await Promise.all([...parts].map(([part, standing]) => settle(part, standing)))
    },
  }
}
