import { pino } from 'pino'

/** Takes whole lines. */
export type LogDestination = { write(line: string): void }

/**
 * The standard output, for lines that come in crowds: those of one turn of the event loop are written together, right
 * after it, so that a line for every answer costs hardly anything. Nothing waits longer, and an exit writes the rest.
 */
export function createStandardOutput(write = writeToStandardOutput()): LogDestination & { flush(): void } {
  let waiting = ''

  function flush(): void {
    const lines = waiting
    waiting = ''
    if (lines !== '') write(lines)
  }

  process.once('exit', flush)
  return {
    write(line) {
      if (waiting === '') setImmediate(flush)
      waiting += line
    },
    flush,
  }
}

/** A whole line or none of it, also where the reader is slow. */
function writeToStandardOutput(): (lines: string) => void {
  const out = pino.destination({ dest: 1, sync: true })
  return (lines) => void out.write(lines)
}
