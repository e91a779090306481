import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { Redis } from 'ioredis'
import { freePort, type RedisServer, startRedis } from '../bench/redis-server.ts'
import type { Bot } from './bots.ts'
import type { Plan } from './plan.ts'

/** The span in which a store came back older: from its age to its return, in milliseconds since 1970. */
export type Older = { from: number; to: number }

/** The store of the bot, and the faults it can suffer. Each resolves when the store works again. */
export type ChaosStore = {
  environment: Record<string, string>
  /** Kills the server as a power cut would. */
  kill(downMs: number): Promise<void>
  freeze(ms: number): Promise<void>
  /** The store comes back as it was this long ago. */
  putBack(agoMs: number): Promise<void>
  failOver(downMs: number): Promise<void>
  older: readonly Older[]
  /** The store was unavailable until then. */
  readonly awayUntil: number
  close(): Promise<void>
}

type StoreDeps = { folder: string; dataDir: string; program: string | undefined; bots: () => readonly Bot[] }

/** Opens the store that a plan wants. */
export function openStore({ store }: Plan, deps: StoreDeps): Promise<ChaosStore> {
  if (store === 'embedded') return openEmbedded(deps)
  return store === 'redis' ? openRedis(deps) : openSentinel(deps)
}

const impossible = async () => {
  throw new Error('this store cannot suffer that')
}

const openDatabases = new Set<unknown>()

/** A SQLite file: an older copy replaces it while the process is dead. */
async function openEmbedded({ folder, dataDir, bots }: StoreDeps): Promise<ChaosStore> {
  const older: Older[] = []
  const file = join(dataDir, 'porsa.db')
  return {
    environment: {},
    older,
    awayUntil: 0,
    kill: impossible,
    freeze: impossible,
    failOver: impossible,
    async putBack(agoMs) {
      const backup = join(folder, `backup-${older.length}.db`)
      const to = Date.now()
      const db = new DatabaseSync(file)
      // An open database that is garbage-collected ends the process.
      openDatabases.add(db)
      db.exec(`PRAGMA busy_timeout = 5000; VACUUM INTO '${backup}'`)
      db.close()
      openDatabases.delete(db)
      await sleep(agoMs)
      await Promise.all(bots().map((bot) => bot.down()))
      await rm(`${file}-wal`, { force: true })
      await rm(`${file}-shm`, { force: true })
      await rename(backup, file)
      older.push({ from: Date.now(), to })
      for (const bot of bots()) bot.start()
    },
    close: async () => {},
  }
}

// With everysec a write may wait for the disk up to 2 s after its reply: a kill would then lose it.
const DURABLE = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always'] as const

async function serve(
  program: string,
  folder: string,
  args: readonly string[] = DURABLE,
): Promise<RedisServer> {
  await mkdir(folder, { recursive: true })
  return startRedis(program, folder, args)
}

const environmentOf = (url: string) => ({ REDIS_URL: url, DATA_KEY: randomBytes(32).toString('base64') })

/** One Redis with an append-only file, which an older copy can replace. */
async function openRedis({ folder, program = '' }: StoreDeps): Promise<ChaosStore> {
  const server = await serve(program, join(folder, 'redis'))
  const [files, copy] = [join(server.dir, 'appendonlydir'), join(folder, 'copy')]
  const older: Older[] = []
  let awayUntil = 0
  const returned = () => {
    awayUntil = Date.now()
  }
  return {
    environment: environmentOf(server.url),
    older,
    get awayUntil() {
      return awayUntil
    },
    failOver: impossible,
    async kill(downMs) {
      awayUntil = Number.POSITIVE_INFINITY
      await server.kill()
      await sleep(downMs)
      await server.start()
      returned()
    },
    async freeze(ms) {
      awayUntil = Number.POSITIVE_INFINITY
      server.freeze()
      await sleep(ms)
      server.thaw()
      returned()
    },
    async putBack(agoMs) {
      const to = Date.now()
      await cp(files, copy, { recursive: true })
      await sleep(agoMs)
      awayUntil = Number.POSITIVE_INFINITY
      await server.kill()
      await rm(files, { recursive: true })
      await rename(copy, files)
      await server.start()
      older.push({ from: Date.now(), to })
      returned()
    },
    close: () => server.kill(),
  }
}

const MASTER = 'porsa'
/** Writes that have not reached the other server are lost with the first. */
const REPLICATED_MS = 10_000

/** Two servers; a sentinel promotes the second one when the first is gone. */
async function openSentinel({ folder, program = '' }: StoreDeps): Promise<ChaosStore> {
  const first = await serve(program, join(folder, 'redis-1'))
  const second = await serve(program, join(folder, 'redis-2'), [
    ...DURABLE,
    '--replicaof',
    `127.0.0.1 ${first.port}`,
  ])
  const sentinel = await serve(program, join(folder, 'sentinel'), ['--sentinel'])
  const redis = new Redis({ port: sentinel.port, lazyConnect: true })
  const news = new Redis({ port: sentinel.port, lazyConnect: true })
  for (const client of [redis, news]) {
    client.on('error', () => undefined)
    await client.connect()
  }
  const say = (...words: [string, ...string[]]) => redis.call('SENTINEL', ...words)
  await say('MONITOR', MASTER, '127.0.0.1', String(first.port), '1')
  await say('SET', MASTER, 'down-after-milliseconds', '1500')
  await say('SET', MASTER, 'failover-timeout', '4000')
  const older: Older[] = []
  let awayUntil = 0
  let switches = 0
  await news.subscribe('+switch-master')
  news.on('message', () => {
    switches += 1
    awayUntil = Date.now()
    older.push({ from: Date.now(), to: Date.now() - REPLICATED_MS })
  })
  const masterPort = async () => Number(((await say('GET-MASTER-ADDR-BY-NAME', MASTER)) as string[])[1])
  // The sentinel learns of the second server at its first check.
  const knowsBoth = async () => String(await say('MASTER', MASTER)).includes('num-slaves,1')
  while (!(await knowsBoth())) await sleep(100)
  return {
    environment: environmentOf(`redis+sentinel://127.0.0.1:${sentinel.port}/${MASTER}`),
    older,
    get awayUntil() {
      return awayUntil
    },
    kill: impossible,
    freeze: impossible,
    putBack: impossible,
    async failOver(downMs) {
      const port = await masterPort()
      const before = switches
      const [master, replica] = first.port === port ? [first, second] : [second, first]
      await isReplicating(replica.port)
      awayUntil = Number.POSITIVE_INFINITY
      await master.kill()
      for (let waited = 0; switches === before && waited < 30_000; waited += 100) await sleep(100)
      await sleep(downMs)
      await master.start()
      awayUntil = Date.now()
    },
    async close() {
      for (const client of [redis, news]) client.disconnect()
      await Promise.all([first, second, sentinel].map((server) => server.kill()))
    },
  }
}

/** Resolves when a replica follows its master: until then it would come back as old as its last copy. */
async function isReplicating(port: number): Promise<void> {
  const redis = new Redis({ port, retryStrategy: () => 100 })
  redis.on('error', () => undefined)
  while (!(await redis.info('replication').catch(() => '')).includes('master_link_status:up'))
    await sleep(100)
  redis.disconnect()
}

/** The content of all files in a folder. */
export function bytesIn(folder: string, isMeant: (path: string) => boolean): Buffer[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  return paths.filter(isMeant).map((path) => readFileSync(path))
}

export { freePort }
