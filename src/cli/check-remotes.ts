import type { Api } from 'grammy'
import { request } from 'undici'
import { type Config, isLoopback } from '../config.ts'
import { CLOCK_WRONG_MS } from '../observe/clock.ts'
import type { Budget } from '../service/budget.ts'
import { createServiceClient } from '../service/client.ts'
import { createDispatcher } from '../service/dispatcher.ts'
import { ServiceError, type ServiceErrorCode } from '../service/errors.ts'
import { openBudget } from '../service/open-budget.ts'
import { createTelegramClient } from '../telegram/client.ts'
import { isRefused } from '../telegram/errors.ts'
import { forGrammy } from '../telegram/transport.ts'
import { openExisting } from './opened.ts'
import { Problem, type Reason, reasonOf, Unsure, type Way } from './reason.ts'

const LIMIT_MS = 20_000
const now = Date.now
/** How far this clock is ahead of the others, by their replies. */
export type Ahead = number[]
export const notedIn = (ahead: Ahead) => (at: number) => void ahead.push(now() - at)

export const telegramOf = ({ botToken, telegramApiRoot, httpProxyUrl }: Config, ahead: Ahead): Api =>
  createTelegramClient({
    token: botToken,
    apiRoot: telegramApiRoot,
    proxyUrl: httpProxyUrl,
    now,
    onDate: notedIn(ahead),
  })

const limit = () => forGrammy(AbortSignal.timeout(LIMIT_MS))

export async function checkTelegram(api: Api, config: Config): Promise<string> {
  const { telegramApiRoot: url, httpProxyUrl: proxyUrl } = config
  try {
    const { username } = await api.getMe(limit())
    return `@${username}`
  } catch (error) {
    if (!isRefused(error)) {
      const [, status] = /unreadable answer with status (\d+)/.exec(String(causeOf(error))) ?? []
      if (status === undefined)
        throw new Problem(reasonOf(error, { variable: 'TELEGRAM_API_ROOT', url, proxyUrl }))
      throw noBotApi(status)
    }
    // Telegram answers 404 to a malformed token, as does a server that is not a Bot API.
    if (error.error_code === 404 && !(await isBotApi(config))) throw noBotApi(404)
    const why = `BOT_TOKEN is refused (${error.error_code} ${error.description})`
    throw new Problem({ why, advice: 'take it anew from @BotFather: /mybots, the bot, API Token' })
  }
}

const noBotApi = (status: string | number): Problem =>
  new Problem({
    why: `what answers at TELEGRAM_API_ROOT is not a Bot API (${status})`,
    advice: 'TELEGRAM_API_ROOT is the root without /bot…, such as https://api.telegram.org',
  })

const causeOf = (error: unknown): unknown =>
  error instanceof Error && 'error' in error ? error.error : error

/** Whether a Bot API answers: it refuses an unknown token with 401. */
async function isBotApi(config: Config): Promise<boolean> {
  const stranger = telegramOf({ ...config, botToken: '1:unknown' }, [])
  const error = await stranger.getMe(limit()).catch((failed: unknown) => failed)
  return isRefused(error) && error.error_code === 401
}

/** Whether Telegram would send updates here, and what answers at the address. */
export async function checkWebhook(
  api: Api,
  { webhookUrl: url, httpProxyUrl: proxyUrl }: Config,
): Promise<string> {
  const info = await api.getWebhookInfo(limit()).catch(() => undefined)
  if (!info) throw new Unsure('asked when Telegram answers')
  if (!url)
    return info.url === ''
      ? 'none: long polling'
      : 'none: long polling; the start removes the one that is set'
  const pending = `${info.pending_update_count} updates wait`
  const answered = await knock('POST', url, proxyUrl).catch((error: unknown) => {
    throw new Problem(reasonOf(error, { variable: 'WEBHOOK_URL', url, proxyUrl }))
  })
  // Without its secret the bot answers 401; without the bot a proxy answers 502 to 504.
  if (answered === 401)
    return info.url === url ? `the bot answers there, ${pending}` : 'a bot answers there; the start sets it'
  if (answered >= 502 && answered <= 504) return `the way leads here, no bot runs behind it (${answered})`
  throw new Problem({
    why: `WEBHOOK_URL leads to something else than the bot (${answered})`,
    advice: 'the proxy there must forward its path to HOST:PORT',
  })
}

/** The status that an address answers with; the bot refuses this POST, since its secret is missing. */
async function knock(method: 'POST' | 'HEAD', url: string, proxyUrl: string | undefined): Promise<number> {
  const dispatcher = createDispatcher({ proxyUrl, connectMs: 5_000 })
  try {
    const signal = AbortSignal.timeout(LIMIT_MS)
    const sent = method === 'POST' ? { method, body: '{}' } : { method }
    const { statusCode, body } = await request(url, { ...sent, dispatcher, signal })
    await body.dump()
    return statusCode
  } finally {
    await dispatcher.close()
  }
}

/** Whether organizers and operators can be notified: Telegram has a chat only with people who began one. */
export async function checkChats(api: Api, { organizers, operators }: Config): Promise<string> {
  const named = [
    ...organizers.map((id, at) => ({ id, place: `number ${at + 1} of ORGANIZERS` })),
    ...operators.map((id, at) => ({ id, place: `number ${at + 1} of OPERATORS` })),
  ]
  if (named.length === 0) return 'nobody is named in ORGANIZERS or OPERATORS'
  const absent: string[] = []
  for (const { id, place } of named) {
    const failed = await api.getChat(id, limit()).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (failed === undefined) continue
    if (!isRefused(failed) || failed.error_code === 401 || failed.error_code === 404)
      throw new Unsure('asked when Telegram answers')
    absent.push(place)
  }
  if (absent.length === 0) return `all ${named.length} can be written to`
  throw new Problem({
    why: `cannot be written to: ${absent.join(', ')}`,
    advice: 'they open the bot in Telegram and send /start; /id there says the number that belongs here',
  })
}

const nothing = async () => {}
/** No budget: the check makes one call, beside those of running bots. */
const budget: Budget = {
  acquire: async () => ({ release: nothing, cancel: nothing }),
  pause: nothing,
  close: nothing,
}

export async function checkService(config: Config, ahead: Ahead): Promise<string> {
  const { serviceUrl: url, serviceKey: key, httpProxyUrl: proxyUrl } = config
  const client = createServiceClient({ url, key, proxyUrl, budget, onDate: notedIn(ahead) })
  try {
    await client.connect({ signal: AbortSignal.timeout(LIMIT_MS), retries: false })
    return 'the key is accepted'
  } catch (error) {
    throw new Problem(serviceReason(error, { variable: 'SERVICE_URL', url, proxyUrl }))
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

/** How much of the limits the running bots have used. */
export async function checkLimits(config: Config): Promise<string> {
  const { ratePerMinute: perMinute, ratePerHour: perHour } = config
  const limits = `${perMinute} calls a minute, ${perHour} an hour`
  const opened = await openExisting(config, 'read').catch(() => undefined)
  if (!opened) return `${limits}, none used yet`
  const { store, vault } = opened
  try {
    const name = vault.hash('service key', config.serviceKey)
    const { minute, hour } = await openBudget({ store, name, perMinute, perHour }).usage()
    if (minute.used < perMinute && hour.used < perHour)
      return `${limits}: ${minute.used} and ${hour.used} are used`
    throw new Problem({
      why: `the limits of ${limits} are used up: people wait`,
      advice:
        'invite in smaller groups, or ask the service for more and raise RATE_PER_MINUTE, RATE_PER_HOUR',
    })
  } finally {
    await store.close()
  }
}

/** Whether something answers where events would be posted; no event is posted. */
export async function checkEvents({ eventsUrl: url, httpProxyUrl }: Config): Promise<string> {
  if (!url) return 'none are sent'
  const proxyUrl = isLoopback(new URL(url).host) ? undefined : httpProxyUrl
  const status = await knock('HEAD', url, proxyUrl).catch((error: unknown) => {
    throw new Problem(reasonOf(error, { variable: 'EVENTS_URL', url, proxyUrl }))
  })
  if (status === 404) throw new Unsure('EVENTS_URL answers 404 to HEAD: is its path right?')
  if (status < 500) return 'somebody answers there'
  throw new Problem({ why: `EVENTS_URL answers ${status}`, advice: 'see that the receiver runs there' })
}

/** Compares this clock with those of Telegram and the service. */
export function checkClock(ahead: Ahead): string {
  const nearest = ahead.toSorted((one, other) => Math.abs(one) - Math.abs(other))[0]
  if (nearest === undefined) throw new Unsure('compared when Telegram or the service answers')
  const seconds = Math.round(nearest / 1_000)
  const way = seconds < 0 ? 'behind' : 'ahead'
  if (Math.abs(nearest) < CLOCK_WRONG_MS) return `right within ${Math.abs(seconds) + 1} s`
  throw new Problem({
    why: `the clock is ${Math.abs(seconds)} s ${way}`,
    advice: 'set it and keep it set: timedatectl set-ntp true',
  })
}
