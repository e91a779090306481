import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Cluster } from 'ioredis'
import { z } from 'zod'
import { AwayError } from '../observe/away.ts'
import { refuseForeign } from './bot-of-store.ts'
import type { Queued, Rows } from './copy-file.ts'
import { connectRedis, type RedisClient } from './redis-connection.ts'
import {
  COPY_MS,
  ENVELOPE_BYTES,
  openEnvelope,
  QUEUE_KEY,
  RESTORING,
  scripts,
  TAG,
  versionArgument,
} from './redis-scripts.ts'
import { kindOf, NoStore } from './store.ts'

const bytes = z.instanceof(Buffer)
const reply = z.tuple([bytes, z.array(z.tuple([bytes, z.union([bytes, z.array(bytes)])]))])
type Found = [name: Buffer, value: Buffer | Buffer[]]

/** With so few changes left, the last step blocks Redis only for a moment. */
const FEW = 200
const MOST_ROUNDS = 50
const QUEUE = '#q:'
const FOREVER = Number.POSITIVE_INFINITY

/**
 * Copies everything in Redis as it is at one moment, while the bots run. A scan copies all keys; the scripts
 * note the keys that they write meanwhile, and these are copied again; one last step copies the rest.
 */
export async function copyRedis(url: string, into: Rows): Promise<void> {
  const redis = await connectRedis(url)
  if ((await redis.exists(TAG + RESTORING)) === 1) {
    redis.disconnect()
    throw new NoStore('a copy was being put back into Redis and is not whole')
  }
  const token = randomBytes(9).toString('base64url')
  redis.defineCommand('porsaCopy', { numberOfKeys: 1, lua: scripts.porsaCopy })
  let step = 0
  const ask = async (act: string, ...args: (string | number)[]) => {
    step += 1
    const [state, found] = reply.parse(await redis.porsaCopyBuffer(QUEUE_KEY, '', token, step, act, ...args))
    if (state.length === 0 && act !== 'begin')
      throw new AwayError('the copy took too long, or its connection broke: try again')
    return { state: state.toString(), found }
  }
  /** Waits until the copy of a killed process expires. */
  async function begin(): Promise<string> {
    for (
      const startedAt = performance.now();
      performance.now() - startedAt < COPY_MS + 1_000;
      await wait(500)
    ) {
      const { state } = await ask('begin')
      if (state !== '') return state
    }
    throw new AwayError('another copy is being made')
  }
  const take = (found: readonly Found[]) =>
    into.together(() => {
      for (const one of found) takeOne(into, one)
    })
  try {
    const since = await begin()
    let cursor = '0'
    do {
      const { state, found } = await ask('page', cursor)
      take(found)
      cursor = state
    } while (cursor !== '0')
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const { found } = await ask('changed', FEW)
      take(found)
      if (found.length < FEW) break
    }
    for await (const pairs of redis.zscanStream(`${TAG}#seen`)) into.see(pairs)
    const { found } = await ask('end', since)
    take(found)
  } finally {
    redis.disconnect()
  }
}

function takeOne(into: Rows, [nameBytes, value]: Found): void {
  const name = nameBytes.toString()
  if (name === '#seen') into.see(Array.isArray(value) ? value : [])
  else if (name.startsWith(QUEUE)) {
    const messages = Array.isArray(value) ? value.flatMap((message) => readMessage(message) ?? []) : []
    into.queue(name.slice(QUEUE.length), messages)
  } else takeEntry(into, name, value)
}

function takeEntry(into: Rows, key: string, value: Buffer | Buffer[]): void {
  const entry = Array.isArray(value) ? undefined : openEnvelope(value, 0)
  if (!entry || Array.isArray(value)) return void into.remove(key)
  const expiresAt = value.readDoubleBE(8)
  into.entry({ key, ...entry, expiresAt: expiresAt === FOREVER ? null : Math.round(expiresAt) })
}

const HEAD_BYTES = 12
const BEGUN = 32_768

/** Unpacks a message of the scripts; returns `undefined` for a harmed one. */
function readMessage(message: Buffer): Queued | undefined {
  if (message.length < HEAD_BYTES) return undefined
  const [dueAt, retries, length] = [
    message.readDoubleBE(0),
    message.readUInt16BE(8),
    message.readUInt16BE(10),
  ]
  const id = message.toString('utf8', HEAD_BYTES, HEAD_BYTES + length)
  const body = message.subarray(HEAD_BYTES + length)
  return { id, body, dueAt: Math.round(dueAt) || 0, retries: retries % BEGUN, begun: retries >= BEGUN }
}

function packMessage({ id, body, dueAt, retries, begun }: Queued): Buffer {
  const idBytes = Buffer.from(id)
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeDoubleBE(dueAt, 0)
  head.writeUInt16BE(Math.min(retries, BEGUN - 1) + (begun ? BEGUN : 0), 8)
  head.writeUInt16BE(idBytes.length, 10)
  return Buffer.concat([head, idBytes, body])
}

const AT_ONCE = 500
/** Delay before connected bots are counted again: a stopped process takes a moment to disconnect. */
const LEAVES_MS = 500

/**
 * Replaces all that the bot has in Redis by a copy. Until that is complete, no bot starts on it. Throws in
 * plain words while a bot is connected.
 */
export async function restoreRedis(url: string, from: Rows): Promise<void> {
  const redis = await connectRedis(url)
  try {
    await refuseBots(redis)
    redis.defineCommand('porsaClear', { numberOfKeys: 1, lua: CLEAR })
    await redis.set(TAG + RESTORING, '1')
    for (let cursor = '0', isFirst = true; isFirst || cursor !== '0'; isFirst = false) {
      cursor = String(await redis.porsaClearBuffer(QUEUE_KEY, cursor))
    }
    await write(redis, from)
    await redis.del(TAG + RESTORING)
  } finally {
    redis.disconnect()
  }
}

const CLEAR = `
local page = redis.call('SCAN', ARGV[1], 'MATCH', '${TAG}*', 'COUNT', 500)
for _, key in ipairs(page[2]) do if key ~= '${TAG}${RESTORING}' then redis.call('UNLINK', key) end end
return page[1]
`

/** Throws in plain words while a bot runs on this Redis, and when the store is another bot's. */
export async function refuseOthers(url: string, bot: string): Promise<void> {
  const redis = await connectRedis(url)
  const read = async ([key = '']: readonly string[]) => [openEnvelope(await redis.getBuffer(TAG + key), 0)]
  await refuseForeign({ read }, bot)
    .then(() => refuseBots(redis))
    .finally(() => redis.disconnect())
}

async function refuseBots(redis: RedisClient): Promise<void> {
  // Other bots use other databases of the same server.
  const own = redis instanceof Cluster ? undefined : redis.options.db
  const isHere = (line: string) =>
    line.includes(' name=porsa ') && Number(/ db=(\d+)/.exec(line)?.[1] ?? own) === own
  for (let tries = 0; ; tries += 1) {
    const clients = redis instanceof Cluster ? '' : String(await redis.client('LIST').catch(() => ''))
    const others = clients.split('\n').filter(isHere).length
    if (others <= 1) return
    if (tries === 4) throw new Error('a bot is running on this Redis: stop every replica first')
    await wait(LEAVES_MS)
  }
}

async function write(redis: RedisClient, from: Rows): Promise<void> {
  let pipeline = redis.pipeline()
  let waiting = 0
  const flush = async (isLast = false) => {
    if (!isLast && ++waiting < AT_ONCE) return
    for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error
    pipeline = redis.pipeline()
    waiting = 0
  }
  for (const { key, value, version, expiresAt } of from.entries()) {
    const head = Buffer.alloc(ENVELOPE_BYTES)
    versionArgument(version).copy(head)
    head.writeDoubleBE(expiresAt ?? FOREVER, 8)
    const kept = Buffer.concat([head, value])
    if (expiresAt === null) pipeline.set(TAG + key, kept)
    else pipeline.set(TAG + key, kept, 'PX', Math.max(expiresAt - Date.now(), 1))
    await flush()
  }
  let last = ''
  for (const { actor, ...message } of from.messages()) {
    pipeline.rpush(`${TAG}${QUEUE}${actor}`, packMessage(message))
    if (actor !== last) pipeline.zadd(`${TAG}#due:${kindOf(actor)}`, message.dueAt, actor)
    last = actor
    await flush()
  }
  for (const { id, expiresAt } of from.seen()) {
    pipeline.zadd(`${TAG}#seen`, expiresAt, id)
    await flush()
  }
  await flush(true)
}
