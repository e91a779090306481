/** A clock that differs by more than this from all others is wrong. */
export const CLOCK_WRONG_MS = 5 * 60_000

type ClockOptions = {
  /** The clock of this machine, which may be set wrong; milliseconds since 1970. */
  wall: () => number
  /** How long the process has run, which cannot be set. */
  elapsed: () => number
}

export type Clock = ReturnType<typeof createClock>

/**
 * The time of the bot: this machine's clock, while Telegram or the service agrees with it. When it jumps, or
 * both contradict it, time goes on from the nearest of their clocks, so that nothing ends early or late.
 */
export function createClock({ wall, elapsed }: ClockOptions) {
  const begunAt = wall() - elapsed()
  /** When the process began, by the clocks of Telegram and the service, once they have answered. */
  const heard = new Map<'telegram' | 'service', number>()

  /** How far the clock is ahead of the nearest other one; before the first answer, of itself at the start. */
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
    /** Notes the time that Telegram or the service has just sent. */
    note(at: number, of: 'telegram' | 'service'): void {
      heard.set(of, at - elapsed())
    },
    /** How far the clock of this machine is ahead; `undefined` before the first answer. */
    aheadMs: (): number | undefined => (heard.size > 0 ? ahead() : undefined),
    /** Throws while the clock is wrong by all others that were heard. */
    async check(): Promise<void> {
      const ms = ahead()
      if (isWrong(ms)) throw new Error(`the clock is ${Math.abs(Math.round(ms / 1_000))} s wrong`)
    },
  }
}
