import type { Config } from '../config.ts'
import { scrub } from '../observe/scrub.ts'
import { createCardRenderer } from '../pictures/card-renderer.ts'
import { createServiceClient } from '../service/client.ts'
import { ServiceError, type ServiceErrorCode } from '../service/errors.ts'
import { createEmbeddedBudget } from '../service/open-budget.ts'
import { loadDataKeys } from '../storage/data-key.ts'
import { loadKeyring } from '../storage/keyring.ts'
import { createRedisStore } from '../storage/redis.ts'
import { createSqliteStore } from '../storage/sqlite.ts'
import type { Store } from '../storage/store.ts'
import { createTelegramClient } from '../telegram/client.ts'
import { isRefused } from '../telegram/errors.ts'
import { forGrammy } from '../telegram/signal.ts'
import { type Reason, reasonOf, type Way } from './reason.ts'

type Finding = { name: string; isOk: boolean; detail: string; advice?: string }

/** A check that failed for a reason that is known, with what to do. */
class Found extends Error {
  readonly advice: string
  constructor({ why, advice }: Reason) {
    super(why)
    this.advice = advice
  }
}

const LIMIT_MS = 20_000
const now = Date.now

const checks: Record<string, (config: Config) => Promise<string>> = {
  telegram: checkTelegram,
  service: checkService,
  storage: checkStorage,
  fonts: checkFonts,
}

/** Tries every setting as the bot would use it, all at once; findings come in a fixed order. */
export function findAll(config: Config): Promise<Finding[]> {
  return Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        return { name, isOk: true, detail: await check(config) }
      } catch (error) {
        // What has an advice was put into words here, and holds nothing that must not be shown.
        if (error instanceof Found) return { name, isOk: false, detail: error.message, advice: error.advice }
        return { name, isOk: false, detail: scrub(error instanceof Error ? error.message : 'failed') }
      }
    }),
  )
}

async function checkTelegram({ botToken, telegramApiRoot, httpProxyUrl }: Config): Promise<string> {
  const api = createTelegramClient({ token: botToken, apiRoot: telegramApiRoot, proxyUrl: httpProxyUrl, now })
  try {
    const { username } = await api.getMe(forGrammy(AbortSignal.timeout(LIMIT_MS)))
    return `@${username}`
  } catch (error) {
    if (isRefused(error)) {
      const why = `BOT_TOKEN is refused (${error.error_code} ${error.description})`
      throw new Found({ why, advice: 'take it anew from @BotFather: /mybots, the bot, API Token' })
    }
    throw new Found(
      reasonOf(error, { variable: 'TELEGRAM_API_ROOT', url: telegramApiRoot, proxyUrl: httpProxyUrl }),
    )
  }
}

async function checkService(config: Config): Promise<string> {
  const { serviceUrl: url, serviceKey: key, httpProxyUrl: proxyUrl } = config
  const budget = createEmbeddedBudget({ perMinute: config.ratePerMinute, perHour: config.ratePerHour, now })
  const client = createServiceClient({ url, key, proxyUrl, budget })
  try {
    await client.connect({ signal: AbortSignal.timeout(LIMIT_MS) })
    return 'the key is accepted'
  } catch (error) {
    throw new Found(serviceReason(error, { variable: 'SERVICE_URL', url, proxyUrl }))
  } finally {
    await client.close()
  }
}

const SERVICE_ADVICE: Partial<Record<ServiceErrorCode, string>> = {
  key_invalid: 'take the key anew from your account at the service',
  forbidden: 'the key is blocked, or may not use the API: the service knows why',
  rate_limited: 'the limit of the key is used up: wait a minute; a running bot may be using it',
  not_found: 'SERVICE_URL must be the base address of the service, which ends in /v2',
  unreadable: 'what answers at SERVICE_URL is not the testing service',
}

function serviceReason(error: unknown, way: Way): Reason {
  if (!(error instanceof ServiceError)) return reasonOf(error, way)
  const { code, status } = error
  const answered = status === undefined ? '' : ` (${status})`
  if (code === 'key_invalid')
    return { why: `SERVICE_KEY is refused${answered}`, advice: SERVICE_ADVICE[code] ?? '' }
  // Without a status there was no answer at all.
  if (code === 'unavailable' && status === undefined) return reasonOf(error, way)
  const advice = SERVICE_ADVICE[code] ?? 'look at SERVICE_URL; if it is right, ask the service'
  return { why: `the service answers: ${code}${answered}`, advice }
}

async function checkStorage(config: Config): Promise<string> {
  const { redisUrl, dataDir } = config
  const store = await (redisUrl
    ? createRedisStore({ url: redisUrl }).catch(explainRedis)
    : openEmbedded(dataDir))
  if (!store) return 'a running bot is using the embedded store'
  try {
    await store.ping()
    await loadKeyring(store, await loadDataKeys(config))
    return redisUrl ? 'Redis answers, DATA_KEY opens it' : 'the embedded store opens'
  } finally {
    await store.close()
  }
}

/** The words of Redis are safe to be scrubbed and shown; what to do follows from them. */
function explainRedis(error: unknown): never {
  const why = error instanceof Error ? scrub(error.message) : 'Redis cannot be reached'
  const isRefused = /WRONGPASS|NOAUTH|NOPERM/.test(why)
  const advice = isRefused
    ? 'user and password stand in REDIS_URL, percent-encoded: redis://user:password@host:6379'
    : 'see that Redis runs, and that host and port in REDIS_URL are its own (rediss:// where it wants TLS)'
  throw new Found({ why, advice })
}

/** `undefined` when another process has it: the bot itself, which an operator may well check while it runs. */
async function openEmbedded(dir: string): Promise<Store | undefined> {
  try {
    return await createSqliteStore({ dir, now })
  } catch (error) {
    if (error instanceof Error && error.message.includes('in use by another process')) return undefined
    throw error
  }
}

async function checkFonts(): Promise<string> {
  createCardRenderer().assertFonts()
  return 'the result card can be written in Persian'
}
