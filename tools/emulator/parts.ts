import type { Arguments } from './arguments.ts'
import type { Callbacks } from './callbacks.ts'
import type { ChatInput } from './chat-input.ts'
import type { FileShelf } from './file-shelf.ts'
import type { UpdateQueue } from './update-queue.ts'
import type { World } from './world.ts'

/** The parts that the methods of the Bot API work on. */
export type Parts = {
  world: World
  queue: UpdateQueue
  files: FileShelf
  callbacks: Callbacks
  input: ChatInput
}

/** Carries out one method; throws a `Refusal`. `signal` aborts when the caller hangs up. */
type Method = (args: Arguments, signal: AbortSignal) => unknown

export type MethodTable = Record<string, Method>
