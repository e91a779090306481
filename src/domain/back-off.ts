/** How long to wait after so many tries in a row; the last step is kept to. */
export const backOffMs = (steps: readonly number[], tries: number): number =>
  steps[Math.min(tries, steps.length) - 1] ?? 0
