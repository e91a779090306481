import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { type Dispatcher, request } from 'undici'
import { createDispatcher, notifyingWrites, readWithin } from './dispatcher.ts'
import { ServiceError } from './errors.ts'

/** How long each part of an exchange may take. */
export type Timeouts = {
  connectMs: number
  headersMs: number
  bodyMs: number
  /** From the first byte of connecting to the last of the answer. */
  totalMs: number
}

const DEFAULT_TIMEOUTS: Timeouts = {
  connectMs: 5_000,
  headersMs: 15_000,
  bodyMs: 15_000,
  totalMs: 20_000,
}

/** An HTML report with its pictures inside stays far below this; more is not an answer of this service. */
const LARGEST_ANSWER_BYTES = 16 * 1024 * 1024

/** A request to the service; `path` is below its base address, `body` is sent as JSON. */
export type HttpRequest = { method: 'GET' | 'POST' | 'PUT'; path: string; body?: unknown }
/** Whatever came back, unread. */
export type HttpAnswer = { status: number; retryAfter: string | undefined; text: string }

/** The way to the service. */
export type Transport = {
  /**
   * One request, one answer of any status; no redirect is followed. Throws `unavailable`, with `reached` saying
   * whether a byte of the request was written, `unreadable` for a body that is too large or wrongly compressed,
   * and the signal's reason when aborted.
   */
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer>
  close(): Promise<void>
}

/** Carries requests to the service with the organizer's key, directly or through a proxy, each within its time. */
export function createTransport(options: {
  url: string
  key: string
  proxyUrl?: string | undefined
  dispatcher?: Dispatcher | undefined
  timeouts?: Partial<Timeouts> | undefined
}): Transport {
  const base = options.url.replace(/\/+$/, '')
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const own = { proxyUrl: options.proxyUrl, connectMs: timeouts.connectMs }
  const dispatcher = options.dispatcher ?? createDispatcher(own)

  async function exchange({ method, path, body }: HttpRequest, via: Dispatcher, signal: AbortSignal) {
    const response = await request(base + path, {
      dispatcher: via,
      method,
      headers: {
        'API-KEY': options.key,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      headersTimeout: timeouts.headersMs,
      bodyTimeout: timeouts.bodyMs,
      signal,
    })
    const bytes = await readWithin(LARGEST_ANSWER_BYTES, response.body)
    if (!bytes) throw new ServiceError('unreadable', { reached: 'unclear' })
    return {
      status: response.statusCode,
      retryAfter: first(response.headers['retry-after']),
      text: await decode(bytes, first(response.headers['content-encoding'])),
    }
  }

  return {
    async send(httpRequest, signal) {
      signal?.throwIfAborted()
      let written = false
      const via = notifyingWrites(dispatcher, () => {
        written = true
      })
      const limits = abortAfter(timeouts.totalMs, signal)
      try {
        // Raced as well, because undici hears a signal only once the connection stands.
        return await Promise.race([exchange(httpRequest, via, limits.signal), limits.aborted])
      } catch (error) {
        if (error instanceof ServiceError) throw error
        signal?.throwIfAborted()
        throw new ServiceError('unavailable', { reached: written ? 'unclear' : 'no', cause: error })
      } finally {
        limits.clear()
      }
    },
    close: () => dispatcher.destroy(),
  }
}

/** A signal that follows the caller's and ends by itself. (AbortSignal.any would stay tied to a long-lived one.) */
function abortAfter(ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController()
  const { signal } = controller
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${ms} ms`)), ms)
  const follow = () => controller.abort(outer?.reason)
  outer?.addEventListener('abort', follow)
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  aborted.catch(() => undefined)
  const clear = () => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', follow)
  }
  return { signal, aborted, clear }
}

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const DECODERS = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** Nothing compressed is asked for, but some proxies compress all the same. */
async function decode(bytes: Buffer, encoding = 'identity'): Promise<string> {
  const name = encoding.trim().toLowerCase()
  if (name === 'identity' || bytes.length === 0) return bytes.toString('utf8')
  const decoder = DECODERS.get(name)
  if (!decoder) throw new ServiceError('unreadable', { reached: 'unclear' })
  try {
    return (await decoder(bytes, { maxOutputLength: LARGEST_ANSWER_BYTES })).toString('utf8')
  } catch (cause) {
    throw new ServiceError('unreadable', { reached: 'unclear', cause })
  }
}

const first = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)
