import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRedisServer, type RedisServer, startRedis } from './redis-server.ts'
import { startTelegramStub, type TelegramStub } from './telegram-stub.ts'

/** What a part of the benchmark works with; all of it leaves with the part. */
export type Place = {
  /** To try the programme: a few rounds, whose figures say little. */
  isShort: boolean
  telegram(): Promise<TelegramStub>
  /** A Redis of its own; `undefined` where the program is not installed. */
  redis(args?: readonly string[]): Promise<RedisServer | undefined>
  folder(): Promise<string>
  /** Does this when the part is over, the last thing first. */
  finally(close: () => unknown): void
}

/** As docker-compose.yml runs it: at most a second of answers waits for the disk. */
const AS_DEPLOYED = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec'] as const

/** Gives a part its surroundings, and takes them away again, however it ended. */
export async function inPlace<T>(isShort: boolean, act: (place: Place) => Promise<T>): Promise<T> {
  const closing: (() => unknown)[] = []
  const later = (close: () => unknown) => void closing.unshift(close)

  async function folder(): Promise<string> {
    const dir = await mkdtemp(join(tmpdir(), 'porsa-bench-'))
    later(() => rm(dir, { recursive: true, force: true }))
    return dir
  }

  const place: Place = {
    isShort,
    async telegram() {
      const telegram = await startTelegramStub()
      later(() => telegram.close())
      return telegram
    },
    async redis(args = AS_DEPLOYED) {
      const program = findRedisServer()
      if (!program) return undefined
      const redis = await startRedis(program, await folder(), args)
      later(() => redis.remove())
      return redis
    },
    folder,
    finally: later,
  }
  try {
    return await act(place)
  } finally {
    for (const close of closing) await close()
  }
}
