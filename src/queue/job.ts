import type { z } from 'zod'
import type { PostOptions, UnitOfWork } from '../storage/unit-of-work.ts'
import { actorName, type JobKind } from './actors.ts'

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

/** Work that outlives an update: the name of its actor, and what its message holds. */
type JobDefinition<B extends object> = BodyReader<B> & {
  kind: JobKind
  /** Has it done, now or when it is due; with `replace` in place of what waits for the same id. */
  post(work: Pick<UnitOfWork, 'post'>, id: string, body: B, options?: PostOptions): void
}

/** Defines a job; whoever posts it and whoever does it share this one definition. */
export function job<B extends object>(kind: JobKind, schema: z.ZodType<B>): JobDefinition<B> {
  return {
    kind,
    ...bodyReader(kind, schema),
    post: (work, id, body, options) => work.post(actorName(kind, id), body, options),
  }
}
