import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { AwayError } from '../observe/away.ts'
import { errorCode } from '../observe/scrub.ts'
import { within } from '../observe/within.ts'
import { parseRedisUrl } from '../redis-url.ts'
import { ANSWER } from './redis-attempt-script.ts'

/** A connection to Redis in any of its forms. */
export type RedisClient = Redis | Cluster

const START_WITHIN_MS = 8_000

// Limits of a command while Redis is away: the webhook answers 503, and Telegram calls again.
const BOUNDS = {
  // A restore recognizes connected bots by this name.
  connectionName: 'porsa',
  connectTimeout: 5_000,
  commandTimeout: 3_000,
  maxRetriesPerRequest: 1,
  enableReadyCheck: true,
  // Commands of one event loop turn share one write to the network.
  enableAutoPipelining: true,
  // Answers are batched already: see `redis-answers.ts`.
  autoPipeliningIgnoredCommands: [ANSWER],
} satisfies RedisOptions

const reconnectAfter = (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 6), 2_000)

/** Connects, and reconnects later. Rejects with an `Error` without secrets if Redis is away at the start. */
export async function connectRedis(url: string): Promise<RedisClient> {
  const client = createClient(parseRedisUrl(url))
  // Commands report their own failures; without a listener, ioredis would print this one.
  let lastError: Error | undefined
  client.on('error', (error: Error) => {
    lastError = error
  })
  try {
    if (!(await within(START_WITHIN_MS, client.connect())))
      throw new Error(`no answer within ${START_WITHIN_MS / 1000} s`)
    // If the database does not exist, ioredis emits an event and uses the first one.
    if (client instanceof Redis && client.options.db) await client.select(client.options.db)
    return client
  } catch (error) {
    return refuse(client, lastError ?? error, 'reached')
  }
}

/** Disconnects and throws: an `AwayError`, after which the start is retried, or an `Error` if it is final. */
export function refuse(client: RedisClient, cause: unknown, wish: 'reached' | 'used'): never {
  client.disconnect()
  const why = `REDIS_URL is set, but Redis cannot be ${wish} (${reasonOf(cause)})`
  throw isRefusal(cause) ? new Error(why, { cause }) : new AwayError(why, { cause })
}

const reasonOf = (error: unknown): string =>
  String(errorCode(error) ?? (error instanceof Error ? error.message : 'unknown'))

/** Wrong credentials, server or database: retrying does not help. */
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

/** The address and protocol of Redis; `master` is its name at the sentinels. */
type RedisAddress = ReturnType<typeof parseRedisUrl>
