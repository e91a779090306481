import { randomBytes } from 'node:crypto'
import { RedisAdapter } from '@grammyjs/storage-redis'
import type { StorageAdapter } from 'grammy'
import { Cluster, type Redis } from 'ioredis'
import { z } from 'zod'
import { applyMove } from '../domain/attempt.ts'
import { createRedisAnswers } from './redis-answers.ts'
import { ANSWER, attemptScript } from './redis-attempt-script.ts'
import { connectRedis, type RedisClient, refuse } from './redis-connection.ts'
import { openEnvelope, PING, QUEUE_KEY, RESTORING, scripts, TAG, versionArgument } from './redis-scripts.ts'
import { adviceFor, checkRoom, createRedisLife } from './redis-server.ts'
import {
  type Commit,
  censusOf,
  type Listed,
  LOST_AMONG_OTHERS,
  newVersion,
  type Post,
  type Store,
  type Write,
} from './store.ts'

/** Session texts; Redis deletes each at the end of its term. */
function createRedisSessions(redis: RedisClient, termMs: number): StorageAdapter<string> {
  const adapter = new RedisAdapter<string>({
    // The adapter's type names single servers only, but its commands work on a Cluster: get, set, del.
    instance: redis as Redis,
    ttl: Math.ceil(termMs / 1000),
  })
  return {
    read: (key) => adapter.read(TAG + key).catch(refuseAllButForeign),
    write: (key, text) => adapter.write(TAG + key, text),
    delete: (key) => adapter.delete(TAG + key),
  }
}

/** The adapter writes JSON; other text was not written by it. */
function refuseAllButForeign(error: unknown): undefined {
  if (!(error instanceof SyntaxError)) throw error
}

/** The store with its connection, for other data that all replicas share. */
type RedisStore = Store & { redis: RedisClient }

const PING_KEPT_MS = 60_000

type Argument = string | number | Buffer
type ScriptName = keyof typeof scripts | typeof ANSWER | 'porsaClear'

const bytes = z.instanceof(Buffer)
const claimReply = z.tuple([bytes, bytes, bytes, z.number(), z.number(), z.number()]).nullable()
const backlogReply = z.array(z.tuple([z.number(), z.number(), z.number()]))
const censusReply = z.tuple([bytes, z.array(bytes), z.array(bytes)])
const countsReply = z.array(z.number())
const listedReply = z.array(bytes)
const readAtReply = z.tuple([
  z.tuple([z.null(), bytes.nullable()]),
  z.tuple([z.null(), z.tuple([z.coerce.number(), z.coerce.number()])]),
])
const commitReply = z.enum(['ok', 'lost', 'conflict'])

type Script = (...args: Argument[]) => Promise<unknown>
declare module 'ioredis' {
  // `defineCommand` adds the commands to every connection, each with a variant that returns bytes.
  interface RedisCommander<Context> extends Record<`${ScriptName}Buffer`, Script> {}
}

/**
 * The store in Redis 6.2 or newer, for any number of processes. Without `now`, leases and due times follow
 * the clock of Redis, which all replicas share. Rejects when Redis cannot be reached. Later it reconnects
 * automatically; while Redis is away, every operation rejects within seconds.
 */
export async function createRedisStore(options: {
  url: string
  now?: () => number
  /** The corrected clock, for the expiry of values. */
  clock?: () => number
  /** A command of the operator, which must not judge whether Redis lost data. */
  isGuest?: boolean
}): Promise<RedisStore> {
  const { url, now, clock = Date.now, isGuest = false } = options
  const redis = await connectRedis(url)
  for (const [name, lua] of Object.entries(scripts)) redis.defineCommand(name, { numberOfKeys: 1, lua })
  redis.defineCommand(ANSWER, { lua: attemptScript })
  const time = now ?? clock
  const ask: Ask = (name, ...args) => run(redis, name, QUEUE_KEY, now?.() ?? '', ...args)
  const life = createRedisLife(redis)
  const refused = (error: unknown) => refuse(redis, error, 'used')
  if ((await redis.exists(TAG + RESTORING).catch(refused)) === 1) {
    redis.disconnect()
    throw new Error('a copy was being put back into Redis and is not whole: run `porsa restore` again')
  }
  if (!isGuest) await life.read().catch(refused)
  let broken = 0
  redis.on('close', () => {
    broken += 1
  })

  return {
    redis,
    ...entryOperations(redis, ask, now, time),
    ...queueOperations(ask, time, (at) => (at === undefined ? '' : at - time())),
    async begin(claim, leaseMs) {
      const isHeld = (await ask('porsaRenew', claim.actor, claim.fence, leaseMs, 1)) === 1
      if (isHeld) await life.noteBegun()
      return isHeld
    },
    life: life.read,
    sessions: (termMs) => createRedisSessions(redis, termMs),
    async ping() {
      // A growing write: Redis refuses it when memory or disk is full, or too few replicas are connected.
      await redis.set(TAG + PING, '1', 'PX', PING_KEPT_MS)
    },
    // A cluster fails over node by node.
    connection: () => (redis instanceof Cluster ? undefined : broken),
    advice: () => adviceFor(redis),
    room: () => checkRoom(redis),
    async close() {
      redis.disconnect()
    },
  }
}

/** Runs one of our scripts; their first argument is the time. */
type Ask = (name: ScriptName, ...args: Argument[]) => Promise<unknown>

function entryOperations(
  redis: RedisClient,
  ask: Ask,
  now: (() => number) | undefined,
  time: () => number,
): Pick<Store, 'read' | 'readAt' | 'put' | 'answer' | 'counts' | 'listed' | 'census'> {
  const answer = createRedisAnswers((keys, moves) => run(redis, ANSWER, keys.length, ...keys, ...moves))
  const readAt: Store['readAt'] = async (key) => {
    // In a cluster, the pipeline goes to the node that has the key. Its clock counts for all replicas.
    const replies = await redis
      .pipeline()
      .getBuffer(TAG + key)
      .time()
      .exec()
    for (const [error] of replies ?? []) if (error) throw error
    const [[, stored], [, [seconds, micros]]] = readAtReply.parse(replies)
    const at = now?.() ?? seconds * 1_000 + Math.floor(micros / 1_000)
    return { at, entry: openEnvelope(stored, at) }
  }
  const put: Store['put'] = async (write, version) =>
    (await ask('porsaPut', time(), versionArgument(version), ...writeArguments(write))) === 1
  return {
    async read(keys) {
      if (keys.length === 0) return []
      const stored = await redis.mgetBuffer(keys.map((key) => TAG + key))
      const at = time()
      return stored.map((value) => openEnvelope(value, at))
    },
    readAt,
    put,
    async answer(key, move) {
      // Other moves are rare: read the attempt, apply the rules here, and put it back.
      if (move.kind === 'answer') return answer(TAG + key, move, now?.())
      for (;;) {
        const { at, entry } = await readAt(key)
        if (!entry) return { status: 'gone' }
        const { changed, reply } = applyMove(entry.value, move, at)
        if (!changed || (await put({ key, ...changed }, entry.version))) return reply
      }
    },
    async counts(asked) {
      const args = asked.flatMap(({ list, from }) => [list, from])
      return countsReply.parse(await ask('porsaCounts', ...args))
    },
    async listed(list, { from, skip, most }) {
      const reply = listedReply.parse(await ask('porsaListed', list, from, skip, most)).map(String)
      return reply.flatMap((id, at) => (at % 2 === 0 ? [{ id, at: Number(reply[at + 1]) }] : []))
    },
    async census(from = '0', named?: string) {
      const [next, names, heads] = censusReply.parse(await ask('porsaCensus', from))
      const keys = names.map((name, at) => ({ key: name.toString(), head: heads[at] }))
      return censusOf(keys, named, next.toString() === '0' ? undefined : next.toString())
    },
  }
}

const queueOperations = (
  ask: Ask,
  time: () => number,
  until: Until,
): Pick<Store, 'post' | 'claim' | 'renew' | 'suspect' | 'commit' | 'backlog'> => ({
  post: async (post) =>
    (await ask('porsaPost', ...postArguments(post, until))) === 1 ? 'posted' : 'duplicate',
  async claim(leaseMs, kinds) {
    const fence = randomBytes(9).toString('base64url')
    const reply = claimReply.parse(await ask('porsaClaim', leaseMs, fence, ...kinds))
    if (reply === null) return undefined
    const [actor, id, body, retries, begun, lost] = reply
    const message = { id: id.toString(), body, retries, begun: begun === 1, lost }
    return { actor: actor.toString(), fence, message }
  },
  async suspect({ actor, fence }, isAlone) {
    await ask('porsaSuspect', actor, fence, LOST_AMONG_OTHERS + (isAlone ? 1 : 0))
  },
  renew: async ({ actor, fence }, leaseMs) => (await ask('porsaRenew', actor, fence, leaseMs, 0)) === 1,
  async commit({ actor, fence }, commit) {
    const args = [time(), actor, fence, ...commitArguments(commit, until)]
    return commitReply.parse(String(await ask('porsaCommit', ...args)))
  },
  async backlog(kinds) {
    const reply = backlogReply.parse(await ask('porsaBacklog', ...kinds))
    return reply.map(([waiting, due, oldestMs], at) => ({ kind: kinds[at] ?? '', waiting, due, oldestMs }))
  },
})

/** Runs a script as one command (ioredis sends its hash). Resolves to the reply in bytes. */
const run = (redis: RedisClient, name: ScriptName, ...args: Argument[]): Promise<unknown> =>
  redis[`${name}Buffer`](...args)

/** Every write has a new version; an empty version deletes. */
function writeArguments({ key, value, expiresAt, version = newVersion() }: Write): Argument[] {
  return [key, versionArgument(value && version), expiresAt ?? '', value ?? '']
}

/** The delay until a time. Redis adds it to its own clock, so this process's clock may differ. */
type Until = (time: number | undefined) => Argument

function postArguments({ actor, id, once, dueAt, replace, body }: Post, until: Until): Argument[] {
  return [actor, id, once ? 1 : 0, until(dueAt), replace ? 1 : 0, body]
}

const listArguments = ({ id, list, at, isRecount }: Listed): Argument[] => [
  id,
  list ?? '',
  at,
  isRecount ? 1 : 0,
]

function commitArguments(
  { id = '', expects = [], writes = [], lists = [], posts = [], ...end }: Commit,
  until: Until,
): Argument[] {
  const { retryAt, countsAsRetry = true, staysBegun = false, retryBody } = end
  return [
    id,
    until(retryAt),
    countsAsRetry ? 1 : 0,
    staysBegun ? 1 : 0,
    ...(retryBody ? [1, retryBody] : [0, '']),
    ...[expects.length, ...expects.flatMap(({ key, version }) => [key, versionArgument(version)])],
    ...[writes.length, ...writes.flatMap(writeArguments)],
    ...[lists.length, ...lists.flatMap(listArguments)],
    ...[posts.length, ...posts.flatMap((post) => postArguments(post, until))],
  ]
}
