import { createHash } from 'node:crypto'
import { pino } from 'pino'
import { scrub, scrubError } from './scrub.ts'

/** The only fields that a line may hold besides `err`. None of them is ever personal. */
const ALLOWED_FIELDS = [
  'actor',
  'code',
  'commit',
  'endpoint',
  'host',
  'kind',
  'ms',
  'node',
  'outcome',
  'part',
  'port',
  'problem',
  'retries',
  'signal',
  'status',
  'store',
  'trace',
  'variable',
  'version',
] as const

/** The fields of a line; `err` may be anything that was thrown. */
export type LogFields = {
  [Field in (typeof ALLOWED_FIELDS)[number]]?: string | number | boolean | undefined
} & {
  err?: unknown
}

type Write = (fields: LogFields, message: string) => void

/** One JSON line per event. What the allow-list does not name is dropped; what is left is scrubbed. */
export type Log = { debug: Write; info: Write; warn: Write; error: Write }

const MINUTE_MS = 60_000
/** Reports an error that repeats for the same reason once a minute. */
export function onceAMinute(report: (err: unknown) => void): (err: unknown) => void {
  let last = { why: '', at: 0 }
  return (err) => {
    const [why, at] = [String(err), performance.now()]
    if (why === last.why && at - last.at < MINUTE_MS) return
    last = { why, at }
    report(err)
  }
}

/** A line is written if its level is at least the one that the operator has set; `silent` writes none. */
const LEVELS: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
const ALLOWED: ReadonlySet<string> = new Set(ALLOWED_FIELDS)

/** Logs to `stdout`, or wherever a test wants the lines. */
export function createLog(level: string, destination: LogDestination = createStandardOutput()): Log {
  const least = LEVELS.indexOf(level)
  const at = (name: keyof Log): Write => {
    if (LEVELS.indexOf(name) < least) return () => undefined
    return (fields, message) => destination.write(lineOf(name, fields, message))
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** Builds the line by hand, which is cheap, since every answer has its line. */
function lineOf(level: string, fields: LogFields, message: string): string {
  let line = `{"level":"${level}","time":"${new Date().toISOString()}"`
  for (const [field, value] of Object.entries(fields)) {
    if (!ALLOWED.has(field)) continue
    if (typeof value === 'string') line += `,"${field}":${JSON.stringify(scrub(value))}`
    else if (typeof value === 'number' || typeof value === 'boolean')
      line += `,"${field}":${JSON.stringify(value)}`
  }
  if (fields.err !== undefined) line += `,"err":${JSON.stringify(scrubError(fields.err))}`
  return `${line},"msg":${JSON.stringify(scrub(message))}}\n`
}

/** Takes whole lines. */
export type LogDestination = { write(line: string): void }

/**
 * The standard output for many lines: those of one turn of the event loop are written together right after
 * it, so that a line for every answer costs little. An exit writes the rest.
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

/** Writes whole lines, even if the reader is slow. */
function writeToStandardOutput(): (lines: string) => void {
  const out = pino.destination({ dest: 1, sync: true })
  return (lines) => void out.write(lines)
}

const LETTERS = 'abcdefghijklmnop'

/**
 * A mark that all log lines about one account share. It is made from the keyed hash of the account, which it
 * does not reveal. It has letters only, since long numbers are removed from a log.
 */
export function traceOf(who: string): string {
  const digest = createHash('sha256').update(`trace:${who}`).digest('hex').slice(0, 12)
  return digest.replace(/[\da-f]/g, (digit) => LETTERS[Number.parseInt(digit, 16)] ?? '')
}
