import type { z } from 'zod'
import type { RecordFile } from '../domain/record/record.ts'
import { UnwantedCall } from '../service/errors.ts'
import { epochs, type OnBehalf, recordFiles } from '../storage/documents/kinds.ts'
import { type Kept, readDocument } from '../storage/documents.ts'
import type { PostOptions, UnitOfWork } from '../storage/unit-of-work.ts'
import type { Sender } from '../telegram/sender.ts'
import { actorName, type JobKind } from './actors.ts'

export type BodyReader<B> = { read(body: unknown): B }

/** Makes a reader for the bodies of one kind of message; it throws when a body does not fit the schema. */
export function bodyReader<B>(name: string, schema: z.ZodType<B>): BodyReader<B> {
  return {
    read(body) {
      const read = schema.safeParse(body)
      // The error of the schema may quote what a person typed, so it is not passed on.
      if (!read.success) throw new Error(`a message (${name}) is not what it should be`)
      return read.data
    },
  }
}

/**
 * Defines work that outlives an update: the kind of its actor and the schema of its messages. The code that
 * posts the job and the code that handles it share this definition.
 */
export function job<B extends object>(kind: JobKind, schema: z.ZodType<B>) {
  return {
    kind,
    ...bodyReader(kind, schema),
    /** Posts the job, due now or later; with `replace` it replaces the messages that wait for the same id. */
    post: (work: UnitOfWork, id: string, body: B, options?: PostOptions): void =>
      work.post(actorName(kind, id), body, options),
  }
}

export type TakeBack = (messageIds: readonly number[]) => Promise<void>

/** A claimed message, with what its handler needs. */
export type Task<B> = {
  actor: string
  /** The actor's id: an account, a record id, or both. */
  id: string
  body: B
  work: UnitOfWork
  /** An earlier run began the step that must not be repeated and did not end: the step may have happened. */
  begun: boolean
  /** Aborted when another worker may have the message, or this process stops. */
  signal: AbortSignal
  /** Notes that the unrepeatable step begins now; rejects when another worker has the message. */
  begin(): Promise<void>
  retries: number
  /** Marks all log lines about the same account. */
  trace: string
  /** An earlier run sent messages that are not sent again; they may have been changed since. */
  hasSent: boolean
  /** Sends for this task: without long waits for Telegram, and without repeating confirmed sends. */
  sender: Sender | undefined
  /** Sets how to delete messages that failed runs have sent and no later run has sent again. */
  onFailedRun(takeBack: TakeBack): void
}

/** How the handling of a message ends: it is done, or is retried at a time, perhaps with another body. */
export type JobEnd<B> = undefined | { retryAt: number; retryBody?: B }

/** Handles the messages of one kind of actor, whose bodies are not read yet. */
export type Handler = (task: Task<unknown>) => Promise<JobEnd<object>>

/** Makes a handler that reads the body by its definition before it acts. */
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

/** Like `isCurrent`; the commit also fails when the account is forgotten before it. */
export const guardCurrent = async (work: UnitOfWork, { who, epoch }: Behalf): Promise<boolean> =>
  ((await work.guard(epochs, who))?.epoch ?? 0) === epoch

/** The file of a record or roadmap, unless the account that the work is for has been forgotten. */
export const currentFile = async (
  work: UnitOfWork,
  { s, onBehalf }: { s: string; onBehalf: OnBehalf },
): Promise<RecordFile | undefined> =>
  (await guardCurrent(work, onBehalf)) ? work.get(recordFiles, s) : undefined

/** The current epoch of an account, noted with work that begins on its behalf. */
export const epochOf = async (work: UnitOfWork, who: string): Promise<number> =>
  (await work.get(epochs, who))?.epoch ?? 0
