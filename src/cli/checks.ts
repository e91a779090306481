import type { Config } from '../config.ts'
import { errorCode } from '../observe/error-code.ts'
import { scrub } from '../observe/scrub.ts'
import { createCardRenderer } from '../report/card-renderer.ts'
import { createServiceClient } from '../service/client.ts'
import { createEmbeddedBudget } from '../service/embedded-budget.ts'
import { loadDataKeys } from '../store/data-key.ts'
import { loadKeyring } from '../store/keyring.ts'
import { createRedisStore } from '../store/redis.ts'
import { createSqliteStore } from '../store/sqlite.ts'
import type { Store } from '../store/store.ts'
import { createTelegramClient } from '../telegram/client.ts'
import { isRefused, isUnreachable } from '../telegram/errors.ts'
import { forGrammy } from '../telegram/signal.ts'

type Finding = { name: string; isOk: boolean; detail: string }

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
    if (isRefused(error)) throw new Error('BOT_TOKEN is refused')
    throw new Error(isUnreachable(error) ? 'Telegram cannot be reached' : 'Telegram does not answer properly')
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
    const code = errorCode(error)
    if (code === 'key_invalid') throw new Error('SERVICE_KEY is refused')
    throw new Error(typeof code === 'string' ? `the service answers: ${code}` : 'the service does not answer')
  } finally {
    await client.close()
  }
}

async function checkStorage(config: Config): Promise<string> {
  const { redisUrl, dataDir } = config
  const store = await (redisUrl ? createRedisStore({ url: redisUrl }) : openEmbedded(dataDir))
  if (!store) return 'a running bot is using the embedded store'
  try {
    await store.ping()
    await loadKeyring(store, await loadDataKeys(config))
    return redisUrl ? 'Redis answers, DATA_KEY opens it' : 'the embedded store opens'
  } finally {
    await store.close()
  }
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
