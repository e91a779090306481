import type { Redis } from 'ioredis'
import { type RedisServer, startRedis as startIn } from '../../tools/bench/redis-server.ts'
import { temporaryFolder } from './worlds.ts'

export { findProgram, findRedisServer, freePort, type RedisServer } from '../../tools/bench/redis-server.ts'

// With everysec a write may reach the disk 2 s after its reply: a kill would then lose it.
export const durable = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always'] as const

/** A real Redis for one test, with an append-only file. */
export async function startRedis(program: string, args: readonly string[] = durable): Promise<RedisServer> {
  return startIn(program, await temporaryFolder(), args)
}

/** Remembers all content of Redis; the returned function restores it. */
export async function remember(redis: Redis): Promise<() => Promise<void>> {
  const keys = await redis.keysBuffer('*')
  const values = await Promise.all(
    keys.map(async (key) => ({ key, value: await redis.dumpBuffer(key), leaves: await redis.pttl(key) })),
  )
  return async () => {
    await redis.flushall()
    for (const { key, value, leaves } of values)
      if (value) await redis.restore(key, Math.max(leaves, 0), value, 'REPLACE')
  }
}
