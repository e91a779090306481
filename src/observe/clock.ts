/** A clock that differs by more from everybody else's is wrong. */
export const CLOCK_WRONG_MS = 5 * 60_000

type ClockOptions = {
  /** This machine's clock, which somebody may set wrong; milliseconds since 1970. */
  wall: () => number
  /** What the process has run so far: nobody sets it. */
  elapsed: () => number
}

export type Clock = ReturnType<typeof createClock>

/**
 * The time that the bot goes by: this machine's clock, compared with that of everybody who answers. As soon as it jumps, or
 * is found to be wrong, time goes on from what was right, so that nothing ends early or late.
 */
export function createClock({ wall, elapsed }: ClockOptions) {
  let right = { at: wall(), elapsed: elapsed() }
  let ahead: number | undefined

  const expected = () => right.at + elapsed() - right.elapsed
  return {
    now(): number {
      const at = wall()
      return Math.abs(at - expected()) > CLOCK_WRONG_MS ? Math.round(expected()) : at
    },
    /** Somebody else's clock said this just now. */
    note(at: number): void {
      ahead = wall() - at
      right = { at: Math.abs(ahead) > CLOCK_WRONG_MS ? at : wall(), elapsed: elapsed() }
    },
    /** How far this machine's clock is ahead; `undefined` before anybody has answered. */
    aheadMs: (): number | undefined => ahead,
    /** Throws while it is wrong. */
    async check(): Promise<void> {
      // By what is right since somebody answered: a clock that was set right again is right at once.
      const off = Math.abs(wall() - expected())
      if (off > CLOCK_WRONG_MS) throw new Error(`the clock is ${Math.round(off / 1_000)} s wrong`)
    },
  }
}
