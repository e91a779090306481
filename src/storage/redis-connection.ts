import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { AwayError } from '../observe/away.ts'
import { errorCode } from '../observe/scrub.ts'
import { within } from '../observe/within.ts'
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
    if (await within(START_WITHIN_MS, client.connect())) return client
    throw new Error(`no answer within ${START_WITHIN_MS / 1000} s`)
  } catch (error) {
    client.disconnect()
    const cause = lastError ?? error
    const why = `REDIS_URL is set, but Redis cannot be reached (${reasonOf(cause)})`
    throw isRefusal(cause) ? new Error(why, { cause }) : new AwayError(why, { cause })
  }
}

const reasonOf = (error: unknown): string =>
  String(errorCode(error) ?? (error instanceof Error ? error.message : 'unknown'))

/** Another password, or another server: Redis does not change its mind. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && /WRONGPASS|NOAUTH|NOPERM|invalid password/.test(error.message)

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

const URL_FORM =
  /^(?<scheme>rediss?)(?:\+(?<form>sentinel|cluster))?:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^/?#@]+)(?:\/(?<path>[^?#]*))?(?:\?(?<query>[^#]*))?$/

/**
 * Reads `REDIS_URL`. Throws an `Error` that does not repeat it.
 *
 * | form | |
 * | --- | --- |
 * | one server | `redis://[user:password@]host[:6379][/db]` |
 * | Sentinel | `redis+sentinel://[user:password@]host1[:26379],host2[:26379]/master[/db]`, and `?user=…&password=…` for the sentinels themselves |
 * | Cluster | `redis+cluster://[user:password@]host1[:6379],host2[:6379]` |
 *
 * With `rediss` in place of `redis` all connections are TLS. User and password are percent-encoded.
 */
export function parseRedisUrl(url: string) {
  const match = URL_FORM.exec(url)?.groups
  if (!match) throw malformed('it must look like redis://host:6379, redis+sentinel://… or redis+cluster://…')
  const form = (['sentinel', 'cluster'] as const).find((name) => name === match.form) ?? ('single' as const)
  const path = (match.path ?? '').split('/').filter((part) => part !== '')
  const master = form === 'sentinel' ? path.shift() : ''
  if (master === undefined) throw malformed('the Sentinel form names the master: …/mymaster')
  const [db = '0', ...more] = path
  if (!/^\d+$/.test(db) || more.length > 0)
    throw malformed('after the hosts only the number of a database may follow')
  if (form === 'cluster' && db !== '0') throw malformed('a Cluster has only database 0')

  const nodes = (match.hosts ?? '')
    .split(',')
    .map((host) => parseHost(host, form === 'sentinel' ? 26_379 : 6_379))
  if (form === 'single' && nodes.length > 1)
    throw malformed('several hosts need redis+sentinel or redis+cluster')
  const sentinels = new URLSearchParams(match.query)
  return {
    form,
    tls: match.scheme === 'rediss',
    nodes,
    master: decode(master),
    db: Number(db),
    credentials: {
      ...(match.user && { username: decode(match.user) }),
      ...(match.password && { password: decode(match.password) }),
    },
    sentinelCredentials: {
      ...(sentinels.get('user') && { sentinelUsername: sentinels.get('user') ?? '' }),
      ...(sentinels.get('password') && { sentinelPassword: sentinels.get('password') ?? '' }),
    },
  }
}

function parseHost(text: string, defaultPort: number): { host: string; port: number } {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text)
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3] ?? defaultPort)
  if (!host || port < 1 || port > 65_535)
    throw malformed('every host is a name or address with an optional port')
  return { host, port }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw malformed('user and password must be percent-encoded')
  }
}

const malformed = (hint: string) => new Error(`REDIS_URL is malformed: ${hint}`)
