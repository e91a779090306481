/** Something is away, full or taken, and may mend itself. The settings may be right: whoever starts the program tries again later. */
export class AwayError extends Error {
  override readonly name = 'AwayError'
}

/** What a supervisor is told by the exit code: 1 is a wrong setting, which does not mend itself. */
export const EXIT = { wrong: 1, broken: 70, away: 75 } as const

/** The exit code of a program that could not go on for this. */
export const exitCodeOf = (error: unknown): number => (error instanceof AwayError ? EXIT.away : EXIT.wrong)
