import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { request } from 'undici'
import type { Config } from '../config.ts'
import { errorCode, scrub } from '../observe/scrub.ts'
import { createCardRenderer } from '../pictures/card-renderer.ts'
import { refuseForeign } from '../storage/bot-of-store.ts'
import { findDataKeys } from '../storage/data-key.ts'
import { findKeyring } from '../storage/keyring.ts'
import { createSqliteStore } from '../storage/sqlite.ts'
import {
  type Ahead,
  checkChats,
  checkClock,
  checkEvents,
  checkLimits,
  checkService,
  checkTelegram,
  checkWebhook,
  telegramOf,
} from './check-remotes.ts'
import { type Called, settingsOf } from './output.ts'
import { type Finding, find, Problem } from './reason.ts'

/** Whether Redis answers and takes writes, and the key opens it. */
async function checkRedis(config: Config, url: string): Promise<string> {
  const { createRedisStore } = await import('../storage/redis.ts')
  const { refusalOf } = await import('../storage/redis-server.ts')
  const { PING, TAG } = await import('../storage/redis-scripts.ts')
  const store = await createRedisStore({ url, isGuest: true }).catch(explainRedis)
  try {
    const refusal = await refusalOf(store.redis)
    if (refusal !== undefined)
      throw new Problem({
        why: `Redis takes no writes: ${scrub(refusal)}`,
        advice: 'see its memory, its disk and its replicas: redis-cli info',
      })
    const keys = await findDataKeys(config)
    if (keys.length === 0)
      throw new Error('DATA_KEY_FILE is not there: with REDIS_URL it has to hold DATA_KEY')
    const isMade = (await findKeyring(store, keys)) !== undefined
    // A bot that checked it within the last minute had a keyring in it.
    if (!isMade && (await store.redis.exists(TAG + PING)) === 1)
      throw new Problem({
        why: 'Redis came back empty: what a running bot has kept there is gone',
        advice: 'stop every bot, porsa restore <file>, start them; started without it they begin anew',
      })
    await refuseForeign(store, config.botToken.split(':', 1)[0] ?? '')
    const [advice] = await store.advice()
    if (advice) throw new Problem({ why: 'Redis answers, but may lose answers', advice })
    return `Redis answers, ${isMade ? 'DATA_KEY opens it' : 'and is empty'}`
  } finally {
    await store.close()
  }
}

/** Explains an error of Redis, whose message may be shown after scrubbing. */
function explainRedis(error: unknown): never {
  const why = error instanceof Error ? scrub(error.message) : 'Redis cannot be reached'
  const isRefused = /WRONGPASS|NOAUTH|NOPERM/.test(why)
  const advice = isRefused
    ? 'user and password stand in REDIS_URL, percent-encoded: redis://user:password@host:6379'
    : 'see that Redis runs, and that host and port in REDIS_URL are its own (rediss:// where it wants TLS)'
  throw new Problem({ why, advice })
}

/** Checks the same for the embedded store; makes nothing that is missing. */
async function checkEmbedded(config: Config): Promise<string> {
  const { dataDir: dir, dataKeyFile } = config
  const isThere = await access(join(dir, 'porsa.db')).then(
    () => true,
    // The first start makes a folder that is missing.
    (error: unknown) => errorCode(error) !== 'ENOENT' && notWritable('DATA_DIR')(error),
  )
  const keys = await findDataKeys(config)
  if (!isThere) {
    await mustBeWritable(dir, 'DATA_DIR')
    if (keys.length === 0) await mustBeWritable(dirname(dataKeyFile), 'DATA_KEY_FILE')
    return 'the first start makes the embedded store in DATA_DIR'
  }
  await access(join(dir, 'porsa.db'), constants.W_OK).catch(notWritable('DATA_DIR'))
  const store = await createSqliteStore({ dir, now: Date.now, mode: 'read' })
  try {
    if ((await findKeyring(store, keys)) !== undefined) return 'the embedded store opens'
    if (keys.length === 0) await mustBeWritable(dirname(dataKeyFile), 'DATA_KEY_FILE')
    return 'the embedded store is empty'
  } finally {
    await store.close()
  }
}

const notWritable =
  (name: string) =>
  (error: unknown): never => {
    throw new Problem({
      why: `${name} cannot be used (${errorCode(error)})`,
      advice: "the bot's user must be able to write there",
    })
  }

async function checkCopies({ backupDir }: Config): Promise<string> {
  if (backupDir === undefined) return 'none are made: BACKUP_DIR is not set'
  await mustBeWritable(backupDir, 'BACKUP_DIR')
  return 'BACKUP_DIR takes them'
}

/** Throws unless the folder, or the nearest existing one above it, is writable. */
async function mustBeWritable(dir: string, name: string): Promise<void> {
  for (let at = dir; ; at = dirname(at)) {
    const error = await access(`${at}/.`, constants.W_OK).then(
      () => undefined,
      (failed: unknown) => failed,
    )
    if (error === undefined) return
    if (errorCode(error) !== 'ENOENT' || at === dirname(at)) notWritable(name)(error)
  }
}

const LIMIT_MS = 5_000

/** Whether the port is free, or the bot already listens on it. */
async function checkPort({ host, port }: Config): Promise<string> {
  const code = await listen(host, port)
  if (code === undefined) return `${host}:${port} is free`
  if (code !== 'EADDRINUSE')
    throw new Problem({
      why: `${code === 'EACCES' ? 'PORT' : 'HOST'} cannot be listened on (${code})`,
      advice:
        code === 'EACCES'
          ? 'take a port from 1024 on'
          : 'HOST is an address of this machine, such as 127.0.0.1',
    })
  if (await isBot(host, port)) return `a running bot listens on ${host}:${port}`
  throw new Problem({
    why: `PORT ${port} is taken by another program`,
    advice: 'choose another PORT, or end it',
  })
}

function listen(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', (error) => resolve(String(errorCode(error))))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}

async function isBot(host: string, port: number): Promise<boolean> {
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  try {
    const signal = AbortSignal.timeout(LIMIT_MS)
    const { body } = await request(`http://${name.includes(':') ? `[${name}]` : name}:${port}/healthz`, {
      signal,
    })
    return (await body.text()) === '{"status":"ok"}'
  } catch {
    return false
  }
}

async function checkFonts(): Promise<string> {
  createCardRenderer().assertFonts()
  return 'the result card can be drawn'
}

/** `porsa check`: one line for each part, and what to do about one that fails; returns the exit code. */
export async function runCheck({ env, output }: Called): Promise<number> {
  const { config, warnings } = settingsOf(env)
  if (warnings !== '') output.err(warnings)
  const findings = await findAll(config)
  for (const { name, state, detail, advice } of findings) {
    output.out(`${state.padEnd(6)}  ${name.padEnd(9)} ${detail}`)
    if (advice) output.out(`${' '.repeat(18)}→ ${advice}`)
  }
  return findings.some(({ state }) => state === 'FAILED') ? 1 : 0
}

/** Tries every setting as the bot would use it, all at once; findings come in a fixed order. */
async function findAll(config: Config): Promise<Finding[]> {
  const ahead: Ahead = []
  const api = telegramOf(config, ahead)
  const findings = await Promise.all([
    find('telegram', () => checkTelegram(api, config)),
    find('service', () => checkService(config, ahead)),
    find('storage', () => (config.redisUrl ? checkRedis(config, config.redisUrl) : checkEmbedded(config))),
    find('fonts', checkFonts),
    find('copies', () => checkCopies(config)),
    find('port', () => checkPort(config)),
    find('webhook', () => checkWebhook(api, config)),
    find('chats', () => checkChats(api, config)),
    find('events', () => checkEvents(config)),
    find('limits', () => checkLimits(config)),
  ])
  return [...findings, await find('clock', async () => checkClock(ahead))]
}
