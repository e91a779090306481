/** A clock that differs by more from everybody else's is wrong. */
export const CLOCK_WRONG_MS = 5 * 60_000
