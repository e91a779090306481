/** A kept value is not what it should be: it was changed or harmed. It concerns its own chat and nobody else. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'
}

/** Reads a kept value; whatever goes wrong on the way means that it is harmed. */
export function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof UnreadableError) throw cause
    const message = cause instanceof Error ? cause.message : 'a kept value cannot be read'
    throw new UnreadableError(message, { cause })
  }
}

/** What was read; `undefined` where it is harmed and the others are worth having without it. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableError) return undefined
    throw error
  }
}
