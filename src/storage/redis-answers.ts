import type { AttemptMove, AttemptReply } from '../domain/attempt.ts'
import { ATTEMPT_STATES, lookNumber, readLook } from '../domain/attempt-layout.ts'

type Waiting = {
  key: string
  move: Buffer
  resolve: (reply: AttemptReply) => void
  reject: (error: unknown) => void
}

/** Runs the script over so many keys and as many moves; a reply for each, or the one reply where it is one. */
type RunScript = (keys: readonly string[], moves: readonly Buffer[]) => Promise<unknown>

/** Redis does nothing else while a script runs: so many take it about half a millisecond. */
const MOST_AT_ONCE = 64

/**
 * Sends the moves of one turn of the event loop, and those that come while earlier ones are on their way, in one script. Each
 * is made or refused by itself.
 */
export function createRedisAnswers(
  run: RunScript,
): (key: string, move: AttemptMove, at?: number) => Promise<AttemptReply> {
  const waiting: Waiting[] = []
  let isAwake = false

  async function send(): Promise<void> {
    const batch = waiting.splice(0, MOST_AT_ONCE)
    try {
      const reply = await run(
        batch.map(({ key }) => key),
        batch.map(({ move }) => move),
      )
      const replies: readonly unknown[] = batch.length > 1 && Array.isArray(reply) ? reply : [reply]
      for (const [place, one] of batch.entries()) settle(one, replies[place])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    if (waiting.length > 0) setImmediate(send)
    else isAwake = false
  }

  return (key, move, at) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, move: encodeMove(move, at), resolve, reject })
      if (isAwake) return
      isAwake = true
      setImmediate(send)
    })
}

function settle({ resolve, reject }: Waiting, reply: unknown): void {
  if (Buffer.isBuffer(reply)) resolve(decodeReply(reply))
  else reject(reply instanceof Error ? reply : new Error('Redis gave no reply to an answer'))
}

/**
 * Moves and replies as bytes: one answer costs at most 150 bytes on the wire to Redis, request and reply together.
 *
 * Move: kind and flags (1) | owner (8) | at (6) | what the kind needs, see `moveDetails`. Numbers are big-endian. Without a
 * time (0) the one clock of all replicas counts, that of Redis.
 * Reply: empty when gone; else status, state, language and `isFast` (1) | revision (4) | questions (2) | view (2) | answered (2)
 * | active seconds (4).
 */
/** A kind of move is sent as its place in this list, with the flags added. */
export const MOVE_KINDS = ['answer', 'go', 'pause', 'resume', 'language'] as const
/** What is added to the kind of a move. */
export const MOVE_FLAGS = { allowBack: 8, messageId: 16 } as const
/** The parts of a reply's first byte: what status, state, language and `isFast` are multiplied by. */
export const REPLY_FLAGS = { accepted: 1, state: 2, language: 8, fast: 128 } as const

/** Writes a move as it is sent to Redis. */
function encodeMove(move: AttemptMove, at = 0): Buffer {
  const head = Buffer.alloc(7)
  head.writeUInt8(MOVE_KINDS.indexOf(move.kind) + flagsOf(move))
  head.writeUIntBE(at, 1, 6)
  return Buffer.concat([head.subarray(0, 1), move.owner, head.subarray(1), moveDetails(move)])
}

function flagsOf(move: AttemptMove): number {
  const allowBack = 'allowBack' in move && move.allowBack ? MOVE_FLAGS.allowBack : 0
  return allowBack + ('messageId' in move && move.messageId !== undefined ? MOVE_FLAGS.messageId : 0)
}

function moveDetails(move: AttemptMove): Buffer {
  switch (move.kind) {
    case 'answer': {
      const details = Buffer.alloc(move.messageId === undefined ? 8 : 12)
      details.writeUInt16BE(within(2, move.question))
      details.writeUInt32BE(within(4, move.revision), 2)
      details.writeUInt8(move.first, 6)
      details.writeUInt8(move.change, 7)
      // Message ids begin at 1: 0 is never newer.
      if (move.messageId !== undefined) details.writeUInt32BE(within(4, move.messageId, 0), 8)
      return details
    }
    case 'go': {
      const details = Buffer.alloc(2)
      details.writeUInt16BE(within(2, move.question))
      return details
    }
    case 'language':
      return Buffer.of(lookNumber({ language: move.language, isLarge: move.isLarge === true }))
    case 'pause':
    case 'resume':
      return Buffer.alloc(0)
  }
}

/** What does not fit becomes a number that no attempt has: no question and no revision is the largest one. */
const within = (bytes: number, value: number, otherwise = 2 ** (8 * bytes) - 1): number =>
  Number.isInteger(value) && value >= 0 && value < 2 ** (8 * bytes) ? value : otherwise

/** Reads what Redis replied to a move. */
function decodeReply(reply: Buffer): AttemptReply {
  const flags = reply[0]
  if (flags === undefined) return { status: 'gone' }
  return {
    status: flags & REPLY_FLAGS.accepted ? 'accepted' : 'stale',
    state: ATTEMPT_STATES[Math.floor(flags / REPLY_FLAGS.state) % 4] ?? 'locked',
    ...readLook(Math.floor(flags / REPLY_FLAGS.language) % 16),
    isFast: flags >= REPLY_FLAGS.fast,
    revision: reply.readUInt32BE(1),
    questions: reply.readUInt16BE(5),
    view: reply.readUInt16BE(7),
    answered: reply.readUInt16BE(9),
    activeSeconds: reply.readUInt32BE(11),
  }
}
