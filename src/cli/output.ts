/** Where a command writes, so that a test can read it. */
export type Output = { out: (line: string) => void; err: (line: string) => void }

export const terminal: Output = {
  out: (line) => console.log(line),
  err: (line) => console.error(line),
}
