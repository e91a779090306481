import { randomBytes } from 'node:crypto'
import { Cluster } from 'ioredis'
import { DAY_MS } from '../domain/durations.ts'
import type { RedisClient } from './redis-connection.ts'
import { TAG } from './redis-scripts.ts'

const LIFE = `${TAG}#life`
const BEGUN = `${TAG}#begun`
/** The counter of an ended process expires after this time. */
const OWN_KEPT_MS = 90 * DAY_MS

/**
 * Detects a Redis that came back with older data. Every act that must not be repeated is counted before it
 * starts, for all processes together and for each process. If a counter is lower than this process saw, Redis
 * has lost data, even if other processes have counted on. A process without a reading compares the run id of
 * the server instead.
 */
export function createRedisLife(redis: RedisClient) {
  const own = `${BEGUN}:${newId()}`
  let seen: { all: number; own: number } | undefined

  /** A cluster has a run id for each of its servers. */
  const readRun = async (): Promise<string> =>
    redis instanceof Cluster ? '' : valueIn(await redis.info('server').catch(() => ''), 'run_id')

  async function begins(life: string): Promise<string> {
    await redis.set(LIFE, life)
    return life
  }

  return {
    /** Counts an act that is about to start. */
    async noteBegun(): Promise<void> {
      const [all, ownCount] = await Promise.all([
        redis.incr(BEGUN),
        redis.incr(own),
        redis.pexpire(own, OWN_KEPT_MS),
      ])
      const hasForgotten = seen !== undefined && (all <= seen.all || ownCount <= seen.own)
      if (hasForgotten) await begins(`${await readRun()}:${newId()}`)
      seen = { all, own: ownCount }
    },
    async read(): Promise<string> {
      const kept = redis.pexpire(own, OWN_KEPT_MS)
      const [[life, ...counts], run] = await Promise.all([redis.mget(LIFE, BEGUN, own), readRun(), kept])
      const [all = 0, ownCount = 0] = counts.map(Number)
      const hasForgotten = seen !== undefined && (all < seen.all || ownCount < seen.own)
      const isUnsure = seen === undefined && life !== null && life !== undefined && runOf(life) !== run
      seen = { all, own: ownCount }
      if (!life || hasForgotten || isUnsure) return idOf(await begins(`${run}:${newId()}`))
      if (runOf(life) !== run) await begins(`${run}:${idOf(life)}`)
      return idOf(life)
    },
  }
}

const newId = () => randomBytes(6).toString('base64url')
const runOf = (life: string) => life.slice(0, life.indexOf(':'))
const idOf = (life: string) => life.slice(life.indexOf(':') + 1)

const OLDEST_VERSION = [6, 2] as const

/** Advice against settings that can lose data: eviction, no append-only file, an old version. */
export async function adviceFor(redis: RedisClient): Promise<string[]> {
  const info = await redis.info()
  const [major = 0, minor = 0] = valueIn(info, 'redis_version').split('.').map(Number)
  const isOld = major < OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor < OLDEST_VERSION[1])
  const policy = valueIn(info, 'maxmemory_policy')
  return [
    ...(isOld ? ['Redis is older than 6.2: update it'] : []),
    ...(policy === 'noeviction'
      ? []
      : [`maxmemory-policy is ${policy}: set noeviction, or answers may be evicted`]),
    ...(valueIn(info, 'aof_enabled') === '1'
      ? []
      : ['the append-only file is off: set appendonly yes, appendfsync everysec']),
  ]
}

const FULL = 0.9

/** Rejects when Redis has little memory left, or cannot write its data to disk. */
export async function checkRoom(redis: RedisClient): Promise<void> {
  const info = await redis.info()
  const [used, most] = [Number(valueIn(info, 'used_memory')), Number(valueIn(info, 'maxmemory'))]
  if (most > 0 && used > FULL * most) throw new Error('Redis has little memory left')
  const lasts = ['aof_last_write_status', 'aof_last_bgrewrite_status', 'rdb_last_bgsave_status']
  if (lasts.some((name) => valueIn(info, name) === 'err'))
    throw new Error('Redis does not get its data onto its disk')
}

/** Why Redis refuses writes now (no memory, no disk, too few replicas, a replica itself). Writes nothing. */
export async function refusalOf(redis: RedisClient): Promise<string | undefined> {
  if (redis instanceof Cluster) return undefined
  await redis.multi({ pipeline: false })
  try {
    await redis.set(`${TAG}#ping`, '1')
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'no reason given'
  } finally {
    await redis.discard().catch(() => undefined)
  }
}

const valueIn = (info: string, name: string): string =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
