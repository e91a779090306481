import { setTimeout as delay } from 'node:timers/promises'
import { Api } from 'grammy'
import type { Dispatcher } from 'undici'
import { createDispatcher } from '../service/dispatcher.ts'
import { createDirect } from './direct.ts'
import { createRetry, type TelegramCall } from './retry.ts'
import { createTransport } from './transport.ts'

type TelegramClientOptions = {
  token: string
  apiRoot: string
  proxyUrl?: string | undefined
  /** The connections, for those who have Telegram in their own process. */
  dispatcher?: Dispatcher | undefined
  now: () => number
  onCall?: ((call: TelegramCall) => void) | undefined
  /** Waits, for tests in virtual time. */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<unknown>) | undefined
}

/** The Bot API over undici, paced and patient; there is one for the whole bot. */
export function createTelegramClient(options: TelegramClientOptions): Api {
  const { token, apiRoot, proxyUrl, now, onCall, sleep = wait } = options
  const dispatcher = options.dispatcher ?? connectTo(proxyUrl)
  const fetch = createTransport(dispatcher)
  // grammY's own time limit only has to outlast the transport's.
  // Typed like a whole browser's in grammY, which asks no more of it than `Fetch` says.
  const api = new Api(token, { apiRoot, fetch: fetch as never, timeoutSeconds: 500 })
  api.config.use(createDirect(dispatcher, apiRoot, token))
  api.config.use(createRetry({ now, sleep, onCall }))
  return api
}

/** The connections to Telegram. */
export const connectTo = (proxyUrl: string | undefined): Dispatcher =>
  createDispatcher({ proxyUrl, connectMs: 10_000, connections: 64 })

function wait(ms: number, signal?: AbortSignal): Promise<unknown> {
  return delay(ms, undefined, signal ? { signal } : {})
}
