/** A stored value was changed or damaged. The error concerns the chat of that value and no other. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'
}

/** Reads a stored value. Any error on the way means that it is damaged. */
export function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof UnreadableError) throw cause
    const message = cause instanceof Error ? cause.message : 'a kept value cannot be read'
    throw new UnreadableError(message, { cause })
  }
}

/** The value that is read; `undefined` where it is damaged and the others are useful without it. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableError) return undefined
    throw error
  }
}
