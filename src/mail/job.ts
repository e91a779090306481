import type { z } from 'zod'
import type { PostOptions, UnitOfWork } from '../store/unit-of-work.ts'
import { actorName, type JobKind } from './actors.ts'

/** Work that outlives an update: the name of its actor, and what its message holds. */
export type JobDefinition<B extends object> = {
  kind: JobKind
  /** Throws when a body is not what it should be. */
  read(body: unknown): B
  /** Has it done, now or when it is due; with `replace` in place of what waits for the same id. */
  post(work: Pick<UnitOfWork, 'post'>, id: string, body: B, options?: PostOptions): void
}

/** Defines a job; whoever posts it and whoever does it share this one definition. */
export function job<B extends object>(kind: JobKind, schema: z.ZodType<B>): JobDefinition<B> {
  return {
    kind,
    read: (body) => schema.parse(body),
    post: (work, id, body, options) => work.post(actorName(kind, id), body, options),
  }
}
