import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { AwayError } from '../observe/away.ts'
import { errorCode } from '../observe/scrub.ts'
import { within } from '../observe/within.ts'
import { parseRedisUrl } from '../redis-url.ts'
import { ANSWER } from './redis-attempt-script.ts'

/** A connection to Redis in any of its forms. */
export type RedisClient = Redis | Cluster

const START_WITHIN_MS = 8_000

// A command fails within these bounds while Redis is away: the caller's webhook answers 503 and is called again.
const BOUNDS = {
  // By which whoever replaces what Redis has sees that a bot is there.
  connectionName: 'porsa',
  connectTimeout: 5_000,
  commandTimeout: 3_000,
  maxRetriesPerRequest: 1,
  enableReadyCheck: true,
  // What is asked for at the same time goes out together, one write to the network for all of it.
  enableAutoPipelining: true,
  // Answers go together already: see `redis-answers.ts`.
  autoPipeliningIgnoredCommands: [ANSWER],
} satisfies RedisOptions

const reconnectAfter = (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000)

/** Connects, and stays connected. Rejects with an `Error` without secrets when Redis does not answer at the start. */
export async function connectRedis(url: string): Promise<RedisClient> {
  const client = createClient(parseRedisUrl(url))
  // Every command reports its own failure; without a listener ioredis would print this one.
  let lastError: Error | undefined
  client.on('error', (error: Error) => {
    lastError = error
  })
  try {
    if (!(await within(START_WITHIN_MS, client.connect())))
      throw new Error(`no answer within ${START_WITHIN_MS / 1000} s`)
    // Where there is no such database ioredis tells it as an event, and goes on in the first one.
    if (client instanceof Redis && client.options.db) await client.select(client.options.db)
    return client
  } catch (error) {
    return refuse(client, lastError ?? error, 'reached')
  }
}

/** Leaves this Redis and throws in words: an `AwayError`, after which a start is tried again, unless it was refused for good. */
export function refuse(client: RedisClient, cause: unknown, wish: 'reached' | 'used'): never {
  client.disconnect()
  const why = `REDIS_URL is set, but Redis cannot be ${wish} (${reasonOf(cause)})`
  throw isRefusal(cause) ? new Error(why, { cause }) : new AwayError(why, { cause })
}

const reasonOf = (error: unknown): string =>
  String(errorCode(error) ?? (error instanceof Error ? error.message : 'unknown'))

/** Another password, another server or database: Redis does not change its mind. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  /WRONGPASS|NOAUTH|NOPERM|invalid password|DB index|SELECT is not allowed/.test(error.message)

function createClient(address: RedisAddress): RedisClient {
  const { form, nodes, master, db, credentials, sentinelCredentials, tls } = address
  const bounded = { ...BOUNDS, ...credentials, ...(tls && { tls: {} }) }
  const one = { ...bounded, lazyConnect: true, db, retryStrategy: reconnectAfter }
  switch (form) {
    case 'cluster':
      return new Cluster([...nodes], {
        lazyConnect: true,
        enableOfflineQueue: false,
        clusterRetryStrategy: reconnectAfter,
        clusterNodeRetryStrategy: reconnectAfter,
        slotsRefreshTimeout: BOUNDS.commandTimeout,
        redisOptions: bounded,
      })
    case 'sentinel':
      return new Redis({
        ...one,
        sentinels: [...nodes],
        name: master,
        ...sentinelCredentials,
        enableTLSForSentinelMode: tls,
        ...(tls && { sentinelTLS: {} }),
        sentinelRetryStrategy: reconnectAfter,
      })
    case 'single':
      return new Redis({ ...one, ...nodes[0] })
  }
}

/** Where Redis is, and how it is spoken to; `master` is the name that the sentinels know it by. */
type RedisAddress = ReturnType<typeof parseRedisUrl>
