import { randomBytes } from 'node:crypto'
import { Cluster } from 'ioredis'
import type { RedisClient } from './redis-connection.ts'
import { TAG } from './redis-scripts.ts'

const LIFE = `${TAG}#life`
const BEGUN = `${TAG}#begun`

/**
 * Tells a Redis that came back older. Whatever must not be repeated is counted before it leaves: a Redis that has counted
 * less than this process saw has forgotten some of it. A process that saw nothing yet goes by the run of the server.
 */
export function createRedisLife(redis: RedisClient) {
  let seen: number | undefined

  /** A cluster has one run for each of its servers. */
  async function readRun(): Promise<string> {
    if (redis instanceof Cluster) return ''
    const info = await redis.info('server').catch(() => '')
    return /run_id:(\w+)/.exec(info)?.[1] ?? ''
  }

  async function begins(life: string): Promise<string> {
    await redis.set(LIFE, life)
    return life
  }

  return {
    /** Counts what is about to leave. */
    async noteBegun(): Promise<void> {
      const count = await redis.incr(BEGUN)
      if (seen !== undefined && count <= seen) await begins(`${await readRun()}:${newId()}`)
      seen = count
    },
    async read(): Promise<string> {
      const [[life, begun], run] = await Promise.all([redis.mget(LIFE, BEGUN), readRun()])
      const count = Number(begun ?? 0)
      const hasForgotten = seen !== undefined && count < seen
      const isUnsure = seen === undefined && life !== null && life !== undefined && runOf(life) !== run
      seen = count
      if (!life || hasForgotten || isUnsure) return idOf(await begins(`${run}:${newId()}`))
      if (runOf(life) !== run) await begins(`${run}:${idOf(life)}`)
      return idOf(life)
    },
  }
}

const newId = () => randomBytes(6).toString('base64url')
const runOf = (life: string) => life.slice(0, life.indexOf(':'))
const idOf = (life: string) => life.slice(life.indexOf(':') + 1)
