/** Something is away, full or taken, and may recover. The settings may be right: a supervisor tries again. */
export class AwayError extends Error {
  override readonly name = 'AwayError'
}

/** The exit codes for a supervisor: 1 is a wrong setting, which does not recover. */
export const EXIT = { wrong: 1, broken: 70, away: 75 } as const

/** The exit code of a program that could not go on because of this error. */
export const exitCodeOf = (error: unknown): number => (error instanceof AwayError ? EXIT.away : EXIT.wrong)
