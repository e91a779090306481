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
 * The time that the bot goes by: this machine's clock, as long as Telegram or the service agrees with it. As soon as it
 * jumps, or is found to be wrong by both, time goes on from what the nearest of them said, so that nothing ends early or late.
 */
export function createClock({ wall, elapsed }: ClockOptions) {
  const begunAt = wall() - elapsed()
  /** When the process began, by the clock of each who has answered. */
  const heard = new Map<'telegram' | 'service', number>()

  /** How far this machine's clock is ahead of the nearest other one, or of itself before anybody has answered. */
  function ahead(): number {
    const own = wall() - elapsed()
    const others = heard.size > 0 ? [...heard.values()] : [begunAt]
    return others.map((at) => own - at).reduce((a, b) => (Math.abs(b) < Math.abs(a) ? b : a))
  }
  const isWrong = (ms: number) => Math.abs(ms) > CLOCK_WRONG_MS

  return {
    now(): number {
      const ms = ahead()
      return isWrong(ms) ? Math.round(wall() - ms) : wall()
    },
    /** One of the others said this just now. */
    note(at: number, of: 'telegram' | 'service'): void {
      heard.set(of, at - elapsed())
    },
    /** How far this machine's clock is ahead; `undefined` before anybody has answered. */
    aheadMs: (): number | undefined => (heard.size > 0 ? ahead() : undefined),
    /** Throws while it is wrong by all that was heard. */
    async check(): Promise<void> {
      const ms = ahead()
      if (isWrong(ms)) throw new Error(`the clock is ${Math.abs(Math.round(ms / 1_000))} s wrong`)
    },
  }
}
