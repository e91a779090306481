import type { RedisClient } from './redis-connection.ts'

const OLDEST_VERSION = [6, 2] as const

/** Looks at what would lose data one day: eviction, no append-only file, an old version. */
export async function adviceFor(redis: RedisClient): Promise<string[]> {
  const info = await redis.info()
  const value = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
  const [major = 0, minor = 0] = value('redis_version').split('.').map(Number)
  const isOld = major < OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor < OLDEST_VERSION[1])
  const policy = value('maxmemory_policy')
  return [
    ...(isOld ? ['Redis is older than 6.2: update it'] : []),
    ...(policy === 'noeviction'
      ? []
      : [`maxmemory-policy is ${policy}: set noeviction, or answers may be evicted`]),
    ...(value('aof_enabled') === '1'
      ? []
      : ['the append-only file is off: set appendonly yes, appendfsync everysec']),
  ]
}
