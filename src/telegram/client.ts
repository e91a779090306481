import { setTimeout as delay } from 'node:timers/promises'
import { Api } from 'grammy'
import { type Dispatcher, request } from 'undici'
import { createDispatcher, readWithin } from '../service/dispatcher.ts'
import { isRefused } from './errors.ts'
import { createRetry, type RetryOptions } from './retry.ts'
import { createDirect, createFetch, createPost } from './transport.ts'

type Access = { token: string; apiRoot: string; proxyUrl?: string | undefined }

type TelegramClientOptions = Access &
  Omit<RetryOptions, 'sleep'> &
  Partial<Pick<RetryOptions, 'sleep'>> & {
    /** The connections, for callers that run Telegram in their own process. */
    dispatcher?: Dispatcher | undefined
    /** Called with Telegram's clock, in milliseconds since 1970, at every reply. */
    onDate?: ((at: number) => void) | undefined
  }

/** The client of the Bot API, over undici, with pacing and retries. The bot has one. */
export function createTelegramClient(options: TelegramClientOptions): Api {
  const { token, apiRoot, proxyUrl, now, onCall, sleep = wait } = options
  const post = createPost(options.dispatcher ?? connectTo(proxyUrl), options.onDate)
  // grammY's own timeout must only be longer than the transport's. Its types expect a browser's `fetch`, but
  // grammY uses no more of it than `Fetch` has.
  const api = new Api(token, { apiRoot, fetch: createFetch(post) as never, timeoutSeconds: 500 })
  api.config.use(createDirect(post, apiRoot, token))
  api.config.use(createRetry({ now, sleep, onCall }))
  return api
}

const connectTo = (proxyUrl: string | undefined): Dispatcher =>
  createDispatcher({ proxyUrl, connectMs: 10_000, connections: 64 })

const wait = (ms: number, signal?: AbortSignal): Promise<unknown> =>
  delay(ms, undefined, signal ? { signal } : {})

/** Fetches a file that a person sent; `undefined` if Telegram refuses it, `'large'` above the limit. */
export type Download = (fileId: string, mostBytes: number) => Promise<Buffer | 'large' | undefined>

const LIMIT_MS = 30_000

/** Fetches files from the Bot API's root, through the same proxy as all calls. */
export function createDownload(options: Access & { api: Pick<Api, 'getFile'> }): Download {
  const { api, token, apiRoot, proxyUrl } = options
  const dispatcher = connectTo(proxyUrl)
  return async (fileId, mostBytes) => {
    try {
      const { file_path: path, file_size: size = 0 } = await api.getFile(fileId)
      if (size > mostBytes) return 'large'
      if (path === undefined) return undefined
      const address = `${apiRoot}/file/bot${token}/${path}`
      const signal = AbortSignal.timeout(LIMIT_MS)
      const { statusCode, body } = await request(address, { dispatcher, signal })
      const bytes = (await readWithin(mostBytes, body)) ?? 'large'
      if (statusCode >= 500) throw new Error('not now')
      return statusCode === 200 ? bytes : undefined
    } catch (error) {
      if (isRefused(error)) return undefined
      // The error is not passed on, because the address contains the bot's token.
      throw new Error('a file could not be fetched from Telegram')
    }
  }
}
