import type { z } from 'zod'
import type { RecordFile } from '../domain/record/record.ts'
import { UnwantedCall } from '../service/errors.ts'
import { epochs, type OnBehalf, recordFiles } from '../storage/documents/kinds.ts'
import { type Kept, readDocument } from '../storage/documents.ts'
import type { PostOptions, UnitOfWork } from '../storage/unit-of-work.ts'
import type { Sender } from '../telegram/sender.ts'
import { actorName, type JobKind } from './actors.ts'

export type BodyReader<B> = { read(body: unknown): B }

/** Reads the bodies of one kind of message, and throws on one that is none. */
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

/**
 * Defines work that outlives an update: the name of its actor, and what its message holds. Who posts it and who does it
 * share this one definition.
 */
export function job<B extends object>(kind: JobKind, schema: z.ZodType<B>) {
  return {
    kind,
    ...bodyReader(kind, schema),
    /** Has it done, now or when it is due; with `replace` in place of what waits for the same id. */
    post: (work: UnitOfWork, id: string, body: B, options?: PostOptions): void =>
      work.post(actorName(kind, id), body, options),
  }
}

export type TakeBack = (messageIds: readonly number[]) => Promise<void>

/** A message in the hands of its handler. */
export type Task<B> = {
  actor: string
  /** The actor's id: an account, a record id, or both. */
  id: string
  body: B
  work: UnitOfWork
  /** An earlier worker began what must not be repeated and came to no end: it may have happened. */
  begun: boolean
  /** Aborted when another worker may have the message, or this process stops. */
  signal: AbortSignal
  /** Notes that what must not be repeated begins now; rejects when another worker has the message. */
  begin(): Promise<void>
  retries: number
  /** What the lines of the log about the same account have in common. */
  trace: string
  /** An earlier attempt has said something that is not said again: it may have become something else since. */
  hasSent: boolean
  /** Says for this message: it does not wait for Telegram, and what was confirmed is not said again. */
  sender: Sender | undefined
  /** How messages are taken back that attempts in vain have said and no later one has said again. */
  onVain(takeBack: TakeBack): void
}

/** How the handling of a message ends: it is done, or comes again at a time, perhaps changed. */
export type JobEnd<B> = undefined | { retryAt: number; retryBody?: B }

/** Handles the messages of one kind of actor, whatever is in them. */
export type Handler = (task: Task<unknown>) => Promise<JobEnd<object>>

/** Binds what is done with a message to the definition that reads its body. */
export function handler<B extends object>(
  { read }: BodyReader<B>,
  act: (task: Task<B>) => Promise<JobEnd<B>>,
): Handler {
  return async (task) => {
    const body = read(task.body)
    try {
      return await act({ ...task, body })
    } catch (error) {
      // The account was forgotten while the call waited for its slot.
      if (error instanceof UnwantedCall) return undefined
      throw error
    }
  }
}

type Behalf = Pick<OnBehalf, 'who' | 'epoch'>

/** Whether the account has not been forgotten since the work began. */
export const isCurrent = async (deps: Kept, { who, epoch }: Behalf): Promise<boolean> =>
  ((await readDocument(deps, epochs, who))?.epoch ?? 0) === epoch

/** The same, and the commit fails when the account is forgotten in between. */
export const guardCurrent = async (work: UnitOfWork, { who, epoch }: Behalf): Promise<boolean> =>
  ((await work.guard(epochs, who))?.epoch ?? 0) === epoch

/** The file of a record or roadmap, unless the account that the work is for has been forgotten. */
export const currentFile = async (
  work: UnitOfWork,
  { s, onBehalf }: { s: string; onBehalf: OnBehalf },
): Promise<RecordFile | undefined> =>
  (await guardCurrent(work, onBehalf)) ? work.get(recordFiles, s) : undefined

/** The epoch that work on behalf of an account begins in. */
export const epochOf = async (work: UnitOfWork, who: string): Promise<number> =>
  (await work.get(epochs, who))?.epoch ?? 0
