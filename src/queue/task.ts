import { UnwantedCall } from '../service/errors.ts'
import type { UnitOfWork } from '../storage/unit-of-work.ts'
import type { Sender } from '../telegram/sender.ts'
import type { BodyReader } from './job.ts'

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
  /** What to do when another worker was faster, before the message is handled again on fresh state. */
  onConflict(undo: () => Promise<void>): void
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
