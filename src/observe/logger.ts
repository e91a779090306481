import { type DestinationStream, pino } from 'pino'
import { scrub, scrubError } from './scrub.ts'
import { createStandardOutput } from './standard-output.ts'

/** The only fields that a line may hold besides `err`. None of them is ever personal. */
const ALLOWED_FIELDS = [
  'actor',
  'code',
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

/** What a line may say; `err` may be anything that was thrown. */
export type LogFields = {
  [Field in (typeof ALLOWED_FIELDS)[number]]?: string | number | boolean | undefined
} & {
  err?: unknown
}

type Write = (fields: LogFields, message: string) => void

/** One JSON line per event. What the allow-list does not name is dropped; what is left is scrubbed. */
export type Log = { debug: Write; info: Write; warn: Write; error: Write }

/** Logs to `stdout`, or wherever a test wants the lines. */
export function createLog(level: string, destination: DestinationStream = createStandardOutput()): Log {
  const formatters = { level: (label: string) => ({ level: label }) }
  // pino would read an error's fields once more; what comes here has been read already.
  const serializers = { err: (err: unknown) => err }
  const options = { level, base: null, formatters, serializers, timestamp: pino.stdTimeFunctions.isoTime }
  const logger = pino(options, destination)
  const at =
    (method: 'debug' | 'info' | 'warn' | 'error'): Write =>
    (fields, message) => {
      if (logger.isLevelEnabled(method)) logger[method](allowed(fields), scrub(message))
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function allowed(fields: LogFields): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const field of ALLOWED_FIELDS) {
    const value = fields[field]
    if (typeof value === 'string') kept[field] = scrub(value)
    else if (typeof value === 'number' || typeof value === 'boolean') kept[field] = value
  }
  if (fields.err !== undefined) kept.err = scrubError(fields.err)
  return kept
}
