import { setTimeout as delay } from 'node:timers/promises'
import type { Api, GrammyError } from 'grammy'
import type { Dispatcher } from 'undici'
import { type App, createApp } from './app.ts'
import type { Config } from './config.ts'
import { keepForgotten } from './jobs/forgotten.ts'
import { AwayError } from './observe/away.ts'
import { type Clock, createClock } from './observe/clock.ts'
import { createServer } from './observe/http-server.ts'
import type { Log } from './observe/logger.ts'
import { createMetrics, type Metrics } from './observe/metrics.ts'
import { readCommit, readVersion } from './observe/version.ts'
import { within } from './observe/within.ts'
import { openStorage } from './open-storage.ts'
import { type CardRenderer, createCardRenderer } from './pictures/card-renderer.ts'
import { actorClass, actorKinds } from './queue/actors.ts'
import { createSuspects } from './queue/suspects.ts'
import { createBreaker } from './service/breaker.ts'
import { createServiceClient } from './service/client.ts'
import { showsWorking } from './service/errors.ts'
import { createKeyMemory, newsMsOf } from './service/key-memory.ts'
import { openBudget } from './service/open-budget.ts'
import { createBackups } from './storage/backups.ts'
import { ForeignStoreError } from './storage/bot-of-store.ts'
import { createKeptCount } from './storage/documents/count-kept.ts'
import { openForgottenList } from './storage/forgotten-list.ts'
import { createTelegramClient } from './telegram/client.ts'
import { isRefused } from './telegram/errors.ts'
import type { RetryOptions } from './telegram/retry.ts'
import { forGrammy } from './telegram/transport.ts'
import { loadTexts, type Texts } from './texts/texts.ts'
import { watchSelf } from './watch-self.ts'

export type Running = Awaited<ReturnType<typeof run>>

type RunOptions = {
  log: Log
  /** Milliseconds since 1970, for callers with a time of their own. */
  now?: () => number
  /** Waits before a retry of a call to Telegram, for callers with a time of their own. */
  sleep?: RetryOptions['sleep'] | undefined
  /** For callers that start many bots and read texts and fonts once. */
  texts?: Texts
  cards?: CardRenderer
  /** For callers that know that Telegram has the commands and the description of the bot. */
  isIntroduced?: boolean
  /** The connections, for callers with Telegram and the service in this process. */
  dispatcher?: Dispatcher | undefined
}

const TELEGRAM_RETRY_MS = 2_000
/** Connections that do not end by then end with the process. */
const CLOSE_MS = 1_000

/** Builds the parts from the configuration and starts them. Throws when storage or fonts cannot be used. */
export async function run(config: Config, options: RunOptions) {
  const { log, now: given, isIntroduced = false } = options
  const { texts = loadTexts(config), cards = createCardRenderer() } = options
  // A time that is given is never corrected.
  const clock = createClock({ wall: given ?? Date.now, elapsed: given ?? (() => performance.now()) })
  const now = clock.now
  cards.assertFonts()
  const onAlarm = (problem: string) => log.error({ problem }, 'storage')
  let app: App | undefined
  const storage = await openStorage(config, { now: given, clock: now, onAlarm })
  const { store, vault, failed } = storage
  for (const problem of await store.advice()) log.warn({ problem }, 'storage')

  const version = readVersion()
  const kind = config.redisUrl ? 'redis' : 'embedded'
  const commit = readCommit()
  const metrics = createMetrics({ version, commit, store: kind, actors: actorKinds })
  const checkUpdates = async (): Promise<void> => app?.checkUpdates()
  const own = { texts, metrics, clock, checkUpdates }
  const { budget, health, breaker, backups, ...outside } = connect(config, storage, { ...options, ...own })
  metrics.watch({
    queues: async () =>
      (await store.backlog(actorKinds)).map((one) => ({ ...one, class: actorClass(`${one.kind}:`) })),
    kept: createKeptCount({ store, now }),
    budget: () => budget.usage(),
    isBreakerOpen: breaker.isOpen,
    clockAheadMs: clock.aheadMs,
    backupAgeMs: () => backups.ageMs(),
  })
  const server = createServer({ health, metrics, host: config.host })
  const used = async () => (await budget.usage()).hour.used
  const { api, service } = outside
  const { failing } = health
  const parts = { config, store, vault, ...outside, used, failing, texts, cards, server, metrics, log, now }
  const forgotten = openForgottenList(config)
  const leaveForgotten = await keepForgotten({ ...parts, log }, forgotten)
  app = createApp({ ...parts, forgotten, isIntroduced })
  const stopping = new AbortController()

  const address = await server.listen({ host: config.host, port: config.port }).catch(refuseToListen)
  health.start()
  backups.start()
  const port = Number(new URL(address).port)
  log.info({ version, commit, node: process.version, host: config.host, port, store: kind }, 'started')
  return {
    /** Resolves after `stop`, or with the reason why the bot cannot work: Telegram refuses it for good. */
    ended: Promise.race([workUntil(stopping.signal, { app, api, log }), failed]),
    /** Where the HTTP server listens. */
    address,
    isIdle: app.isIdle,
    idle: app.idle,
    async stop(): Promise<void> {
      stopping.abort()
      health.stop()
      leaveForgotten()
      void backups.stop()
      // Calls that wait in line would keep the process for minutes: they are put back.
      await budget.close()
      await app.stop()
      await within(CLOSE_MS, Promise.all([server.close(), service.close()]))
      await store.close()
    },
  }
}

type Connecting = RunOptions & {
  metrics: Metrics
  texts: Texts
  clock: Clock
  /** Rejects while no updates can come. */
  checkUpdates: () => Promise<void>
}

/** Makes the clients of Telegram and the service, and the health that notes every call of both. */
function connect(
  config: Config,
  { store, vault }: Awaited<ReturnType<typeof openStorage>>,
  { log, metrics, texts, clock, checkUpdates, now: given, sleep, dispatcher }: Connecting,
) {
  const { now } = clock
  // If the time is given, Telegram and the service have it, too: their clocks correct nothing.
  const noted = (of: 'telegram' | 'service') => (given ? undefined : (at: number) => clock.note(at, of))
  const suspects = createSuspects({ store, log })
  const { httpProxyUrl: proxyUrl, ratePerMinute: perMinute, ratePerHour: perHour } = config
  const api = createTelegramClient({
    token: config.botToken,
    apiRoot: config.telegramApiRoot,
    proxyUrl,
    dispatcher,
    ...(sleep && { sleep }),
    now,
    onDate: noted('telegram'),
    onCall(call) {
      metrics.telegramCall(call)
      health.report('telegram', call.outcome !== 'unreachable' && call.outcome !== 'unclear')
    },
  })
  const keyName = vault.hash('service key', config.serviceKey)
  const budget = openBudget({
    ...{ store, name: keyName, perMinute, perHour, now },
    onError: (err) => log.error({ err }, 'API budget'),
  })
  const breaker = createBreaker({ now })
  const newsMs = newsMsOf(config)
  const keyMemory = createKeyMemory(store, { name: keyName, newsMs, now })
  const service = createServiceClient({
    url: config.serviceUrl,
    key: config.serviceKey,
    proxyUrl,
    dispatcher,
    budget,
    breaker,
    now,
    onDate: noted('service'),
    onSlot: metrics.slotWait,
    inLine: suspects.inLine,
    onCall(call) {
      metrics.serviceCall(call)
      const { endpoint, status, ms, code, trace } = call
      log.info({ endpoint, status, ms, code, trace }, 'service call')
      keyMemory.note(code)
      const isWorking = showsWorking(code)
      if (isWorking !== undefined) health.report('service', isWorking)
    },
  })
  const checks = {
    telegram: () => api.getMe(),
    service: (leaves: () => void) =>
      keyMemory.check((lane) =>
        service.connect({ lane, isLook: true, retries: false, begin: async () => leaves() }),
      ),
    webhook: () => checkUpdates(),
  }
  const backups = createBackups({
    ...{ config, store, now },
    onDone: ({ harmed }) => log.info({ problem: `${harmed} documents harmed` }, 'copy made and opened'),
    onError: (err) => log.error({ err }, 'no copy made'),
  })
  const health = watchSelf({ config, store, api, texts, clock, backups, metrics, log, now, checks, newsMs })
  return { api, service, suspects, budget, breaker, health, backups }
}

/** Runs the app until it is stopped; retries while Telegram or the store cannot be reached at the start. */
async function workUntil(
  signal: AbortSignal,
  { app, api, log }: { app: Pick<App, 'run'>; api: Api; log: Log },
): Promise<Error | undefined> {
  while (!signal.aborted) {
    try {
      await app.run(await api.getMe(forGrammy(signal)))
      return undefined
    } catch (err) {
      if (signal.aborted) return undefined
      if (err instanceof ForeignStoreError) return err
      if (isRefused(err)) return refusal(err)
      log.warn({ err }, 'not begun yet')
      await delay(TELEGRAM_RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  return undefined
}

/** Why Telegram will never accept this bot, with the variable that has to be corrected. */
function refusal({ error_code: code, description, method }: GrammyError): Error {
  const isToken = code === 401 || code === 404
  const name = isToken ? 'BOT_TOKEN' : method === 'setWebhook' ? 'WEBHOOK_URL' : 'the bot'
  // Another process takes the updates, and may end.
  const Failure = code === 409 ? AwayError : Error
  return new Failure(`${name} is refused by Telegram: ${description}`)
}

/** The error of the system repeats the address. */
function refuseToListen({ code = 'unknown' }: NodeJS.ErrnoException): never {
  const name = code === 'EADDRINUSE' || code === 'EACCES' ? 'PORT' : 'HOST'
  throw new Error(`${name} cannot be listened on (${code})`)
}
