import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { RedisClient } from '../store/redis-connection.ts'
import { TAG } from '../store/redis-scripts.ts'
import { limitsOf, type Place, type WatchedBudget } from './budget.ts'
import type { Lane } from './endpoints.ts'
import { limitsArgument, redisBudgetScript } from './redis-budget-script.ts'

export type RedisBudgetOptions = {
  redis: RedisClient
  /** Names the key of the service without telling it: a keyed hash. */
  name: string
  perMinute: number
  perHour: number
  /** Without it the clock of Redis counts, which all replicas share. */
  now?: (() => number) | undefined
}

/** Who waits, as the script knows them; `since` is empty while they come for the first time. */
export type Entry = { id: string; lane: Lane; rank: number; account: string; since: number | '' }

/** When the next look is worth while (never: -1), how many of this replica wait, who has a slot, and the places asked for. */
export type Reply = { waitMs: number; known: number; granted: string[]; places: ({ id: string } & Place)[] }

type Look = { entering?: readonly Entry[]; long?: readonly string[]; curious?: readonly string[] }

type Argument = string | number
declare module 'ioredis' {
  // What `defineCommand` adds to every connection.
  interface RedisCommander<Context>
    extends Record<'porsaBudget', (...args: Argument[]) => Promise<unknown>> {}
}

const lookReply = z.tuple([z.number(), z.number(), z.array(z.string()), z.array(z.number())])
const number = z.number()
const usageReply = z.tuple([number, number, number, number, number, number, number])

export type BudgetOperations = ReturnType<typeof createBudgetOperations>

/** What one replica can ask of the script that all of them share. */
export function createBudgetOperations({ redis, name, now, ...perTime }: RedisBudgetOptions) {
  redis.defineCommand('porsaBudget', { numberOfKeys: 1, lua: redisBudgetScript })
  const key = `${TAG}#budget:${name}`
  const replica = randomBytes(6).toString('base64url')
  const limits = limitsArgument(limitsOf(perTime))
  let calls = 0

  const run = (operation: string, ...args: Argument[]): Promise<unknown> =>
    redis.porsaBudget(key, now?.() ?? '', replica, ...limits, operation, ...args)

  async function ask(curious: readonly string[], operation: string, ...args: Argument[]): Promise<Reply> {
    const [waitMs, known, granted, numbers] = lookReply.parse(await run(operation, ...args))
    const places = curious.map((id, index) => {
      const [place = -1, etaMs = 0] = numbers.slice(2 * index)
      return { id, place, etaMs }
    })
    return { waitMs, known, granted, places }
  }

  return {
    nextId: () => `${replica}.${(calls++).toString(36)}`,
    /** Enters who comes, says which calls take long, and asks for the places of those who want to know. */
    look({ entering = [], long = [], curious = [] }: Look): Promise<Reply> {
      const entries = entering.flatMap(({ id, lane, rank, account, since }) => [
        id,
        lane,
        rank,
        account,
        since,
      ])
      const lists = [entering.length, ...entries, long.length, ...long, curious.length, ...curious]
      return ask(curious, 'look', ...lists)
    },
    /** Gives up a place, or a slot that no call was made with. */
    leave: (id: string) => ask([], 'leave', id),
    pause: (retryAfterMs?: number) => ask([], 'pause', retryAfterMs ?? ''),
    release: (id: string) => run('release', id),
    close: () => run('close'),
    async usage(): ReturnType<WatchedBudget['usage']> {
      const [minute, perMinute, hour, perHour, participant, background, pausedMs] = usageReply.parse(
        await run('usage'),
      )
      return {
        minute: { used: minute, limit: perMinute },
        hour: { used: hour, limit: perHour },
        waiting: { participant, background },
        pausedMs,
      }
    },
  }
}
