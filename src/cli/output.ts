/** Where a command writes, so that a test can read it. */
export type Output = { out: (line: string) => void; err: (line: string) => void }

export const terminal: Output = {
  out: (line) => console.log(line),
  err: (line) => console.error(line),
}

/** Runs a command; what keeps it from running is told in one line. Returns the exit code. */
export async function orInWords({ err }: Output, run: () => Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    err(error instanceof Error ? error.message : 'failed')
    return 1
  }
}
