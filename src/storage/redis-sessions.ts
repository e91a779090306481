import { RedisAdapter } from '@grammyjs/storage-redis'
import type { StorageAdapter } from 'grammy'
import type { Redis } from 'ioredis'
import type { RedisClient } from './redis-connection.ts'
import { TAG } from './redis-scripts.ts'

/** Texts that Redis forgets by itself, so long after each was written. */
export function createRedisSessions(redis: RedisClient, termMs: number): StorageAdapter<string> {
  const adapter = new RedisAdapter<string>({
    // It knows single servers by name, but asks for nothing that a Cluster does not have: get, set, del.
    instance: redis as Redis,
    ttl: Math.ceil(termMs / 1000),
  })
  return {
    read: (key) => adapter.read(TAG + key).catch(refuseAllButForeign),
    write: (key, text) => adapter.write(TAG + key, text),
    delete: (key) => adapter.delete(TAG + key),
  }
}

/** The adapter writes JSON; what is none was written by somebody else. */
function refuseAllButForeign(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error
}
