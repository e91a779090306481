const LONGEST_MESSAGE = 500
const FRAMES_KEPT = 12
const SHORT_WORDS = /^(?:[a-z_ -]{0,23}|[a-z]+(?:-[a-z]+)+)$/i

/**
 * Removes from a text what a log may not hold: tokens, ids, runs of digits, quoted values, anything in
 * Persian. The rest still shows which failure it was.
 */
export function scrub(text: string): string {
  // Nearly every line consists of short words like these, of which nothing would be removed below.
  if (SHORT_WORDS.test(text)) return text
  return (
    text
      .slice(0, LONGEST_MESSAGE)
      // From the first quote to the last: a body that was not parsed is quoted with quotes of its own inside.
      .replace(/"[\s\S]*"|(?<!Call to |request for )'[^'\n]*'/g, '"…"')
      .replace(/\d{6,}:[\w-]+/g, '<token>')
      .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi, '<id>')
      .replace(/[\w+/=-]{24,}/g, '<secret>')
      .replace(/\+?\p{Nd}{4,}/gu, '#')
      .replace(/\p{Script=Arabic}[\p{Script=Arabic}\s\u200c]*/gu, '…')
  )
}

type ErrorFields = {
  type: string
  message: string
  code?: string | number
  status?: number
  stack?: string
  cause?: ErrorFields
}

/** What a log may hold of an error: kind, scrubbed message, code, status, stack frames and cause. */
export function scrubError(error: unknown, depth = 0): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: '' }
  const code = errorCode(error)
  const status = 'status' in error ? error.status : undefined
  const cause = error.cause ?? ('error' in error ? error.error : undefined)
  return {
    type: error.name,
    message: scrub(error.message),
    ...(code === undefined ? {} : { code }),
    ...(typeof status === 'number' ? { status } : {}),
    ...(error.stack ? { stack: framesOf(error.stack) } : {}),
    ...(cause !== undefined && depth < 3 ? { cause: scrubError(cause, depth + 1) } : {}),
  }
}

/** Keeps only the frames, since the head of a stack repeats the message. */
function framesOf(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return frames
    .slice(0, FRAMES_KEPT)
    .map((frame) => frame.trim())
    .join('\n')
}

/** The code that an error of the system, of a library or of ours carries. */
export function errorCode(error: unknown): string | number | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  const { code } = error
  return typeof code === 'string' || typeof code === 'number' ? code : undefined
}
