import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRedisServer, type RedisServer, startRedis } from './redis-server.ts'
import { startTelegramStub, type TelegramStub } from './telegram-stub.ts'

/** What a part of the benchmark works with; all of it is removed after the part. */
export type Place = {
  /** A trial of the programme: a few rounds, whose figures mean little. */
  isShort: boolean
  telegram(): Promise<TelegramStub>
  /** A Redis for this part only; `undefined` where the program is not installed. */
  redis(args?: readonly string[]): Promise<RedisServer | undefined>
  folder(): Promise<string>
  /** Registers a clean-up for the end of the part; the last one registered runs first. */
  finally(close: () => unknown): void
}

/** As in docker-compose.yml: at most one second of answers waits for the disk. */
const AS_DEPLOYED = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'everysec'] as const

/** Gives a part its surroundings and removes them afterwards, also when the part failed. */
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
