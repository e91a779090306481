import type { z } from 'zod'

/** Reads the bodies of one kind of message. */
export type BodyReader<B> = {
  /** Throws an `Error` when a body is not what it should be. */
  read(body: unknown): B
}

/** Reads bodies of this kind, and throws on one that is none. */
export function bodyReader<B>(name: string, schema: z.ZodType<B>): BodyReader<B> {
  return {
    read(body) {
      const read = schema.safeParse(body)
      // The words of the schema may repeat what was typed, so they are not passed on.
      if (!read.success) throw new Error(`a message (${name}) is not what it should be`)
      return read.data
    },
  }
}
