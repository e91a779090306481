import type { AttemptMove, AttemptReply } from '../domain/attempt.ts'
import { ATTEMPT_STATES, readLook } from '../domain/attempt-layout.ts'

/** The only move with its own script: answers are the most frequent one. */
type AnswerMove = Extract<AttemptMove, { kind: 'answer' }>

type Waiting = {
  key: string
  move: Buffer
  resolve: (reply: AttemptReply) => void
  reject: (error: unknown) => void
}

/** Runs the script over keys and as many moves; resolves to a list of replies, or to a single bare one. */
type RunScript = (keys: readonly string[], moves: readonly Buffer[]) => Promise<unknown>

/** A script blocks Redis: this many answers take it about half a millisecond. */
const MOST_AT_ONCE = 64

/**
 * Sends the answers of one event loop turn, and those that arrive while earlier ones are on their way, in one
 * script. Each is accepted or refused separately.
 */
export function createRedisAnswers(
  run: RunScript,
): (key: string, move: AnswerMove, at?: number) => Promise<AttemptReply> {
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
      waiting.push({ key, move: encodeAnswer(move, at), resolve, reject })
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
 * Answers and replies as bytes. One answer costs at most 150 bytes to Redis and back.
 *
 * Answer: flags (1) | owner (8) | at (6) | question (2) | revision (4) | `first` (1) | `change` (1) | the message's id,
 * if it was typed (4). Numbers are big-endian. If the time is 0, the clock of Redis counts, which all replicas share.
 * Reply: empty when gone; else status, state, look and `isFast` (2) | revision (4) | questions (2) | view (2) | answered (2)
 * | active seconds (4).
 */
/** The bits of an answer's first byte. */
export const MOVE_FLAGS = { allowBack: 1, messageId: 2 } as const
/** The factors of status, state, look and `isFast` in a reply's first number. */
export const REPLY_FLAGS = { accepted: 1, state: 2, language: 8, fast: 256 } as const

function encodeAnswer({ owner, allowBack, messageId, ...answer }: AnswerMove, at = 0): Buffer {
  const head = Buffer.alloc(7)
  const flags = (allowBack ? MOVE_FLAGS.allowBack : 0) + (messageId === undefined ? 0 : MOVE_FLAGS.messageId)
  head.writeUInt8(flags)
  head.writeUIntBE(at, 1, 6)
  const details = Buffer.alloc(messageId === undefined ? 8 : 12)
  details.writeUInt16BE(within(2, answer.question))
  details.writeUInt32BE(within(4, answer.revision), 2)
  details.writeUInt8(answer.first, 6)
  details.writeUInt8(answer.change, 7)
  // Message ids begin at 1, so 0 is never newer.
  if (messageId !== undefined) details.writeUInt32BE(within(4, messageId, 0), 8)
  return Buffer.concat([head.subarray(0, 1), owner, head.subarray(1), details])
}

/** A value that does not fit becomes one that no attempt has: the largest is no question and no revision. */
const within = (bytes: number, value: number, otherwise = 2 ** (8 * bytes) - 1): number =>
  Number.isInteger(value) && value >= 0 && value < 2 ** (8 * bytes) ? value : otherwise

function decodeReply(reply: Buffer): AttemptReply {
  if (reply.length === 0) return { status: 'gone' }
  const flags = reply.readUInt16BE()
  return {
    status: flags & REPLY_FLAGS.accepted ? 'accepted' : 'stale',
    state: ATTEMPT_STATES[Math.floor(flags / REPLY_FLAGS.state) % 4] ?? 'locked',
    ...readLook(Math.floor(flags / REPLY_FLAGS.language) % 32),
    isFast: flags >= REPLY_FLAGS.fast,
    revision: reply.readUInt32BE(2),
    questions: reply.readUInt16BE(6),
    view: reply.readUInt16BE(8),
    answered: reply.readUInt16BE(10),
    activeSeconds: reply.readUInt32BE(12),
  }
}
