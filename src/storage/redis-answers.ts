import type { AttemptMove, AttemptReply } from '../domain/attempt.ts'
import { decodeReply, encodeMove } from './attempt-wire.ts'

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
