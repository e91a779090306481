import { type Dispatcher, request } from 'undici'
import { unlessAborted } from '../observe/within.ts'
import { createDispatcher, notifyingWrites, readWithin } from './dispatcher.ts'
import { ServiceError } from './errors.ts'

/** Timeouts of an exchange; `totalMs` is from the start of connecting to the last byte of the answer. */
const TIMEOUTS = { connectMs: 5_000, headersMs: 15_000, bodyMs: 15_000, totalMs: 20_000 }

/** An HTML report with its pictures is far smaller; a larger body is no answer of this service. */
const LARGEST_ANSWER_BYTES = 16 * 1024 * 1024

/** A request to the service; `path` is below its base address, `body` is sent as JSON. */
export type HttpRequest = { method: 'GET' | 'POST' | 'PUT'; path: string; body?: unknown }
/** The raw answer. */
export type HttpAnswer = {
  status: number
  retryAfter: string | undefined
  /** The service's time of the answer, in milliseconds since 1970. */
  date: number | undefined
  text: string
}

/** Sends requests to the service. */
export type Transport = ReturnType<typeof createTransport>

export type TransportOptions = {
  /** Base address, ends in `/v2`. */
  url: string
  key: string
  /** `http://`, `https://` or `socks5://` */
  proxyUrl?: string | undefined
  /** The connections, for callers that run the service in their own process. */
  dispatcher?: Dispatcher | undefined
  timeouts?: Partial<typeof TIMEOUTS> | undefined
  /** Called with the service's clock, in milliseconds since 1970, at every reply. */
  onDate?: ((at: number) => void) | undefined
}

/** Sends requests to the service with the organizer's key, directly or through a proxy, with timeouts. */
export function createTransport(options: TransportOptions) {
  const base = options.url.replace(/\/+$/, '')
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const own = { proxyUrl: options.proxyUrl, connectMs: timeouts.connectMs }
  const dispatcher = options.dispatcher ?? createDispatcher(own)

  async function exchange({ method, path, body }: HttpRequest, via: Dispatcher, signal: AbortSignal) {
    const response = await request(base + path, {
      dispatcher: via,
      method,
      headers: {
        'API-KEY': options.key,
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      headersTimeout: timeouts.headersMs,
      bodyTimeout: timeouts.bodyMs,
      signal,
    })
    const at = Date.parse(first(response.headers.date) ?? '')
    if (at > 0) options.onDate?.(at)
    const bytes = await readWithin(LARGEST_ANSWER_BYTES, response.body)
    if (!bytes) throw new ServiceError('unreadable', { reached: 'unclear' })
    return {
      status: response.statusCode,
      retryAfter: first(response.headers['retry-after']),
      date: at > 0 ? at : undefined,
      text: bytes.toString('utf8'),
    }
  }

  return {
    /**
     * Sends one request; follows no redirect. Throws `unavailable` (`reached`: whether a byte was written),
     * `unreadable` for a body that is too large, and the signal's reason when aborted.
     */
    async send(httpRequest: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer> {
      signal?.throwIfAborted()
      let written = false
      const via = notifyingWrites(dispatcher, () => {
        written = true
      })
      const limits = abortAfter(timeouts.totalMs, signal)
      try {
        // Stop here as well: undici handles the signal only once it is connected.
        return await unlessAborted(limits.signal, () => exchange(httpRequest, via, limits.signal))
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

/** A signal of the caller's with a timeout. (AbortSignal.any would stay tied to a long-lived one.) */
function abortAfter(ms: number, outer: AbortSignal | undefined) {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${ms} ms`)), ms)
  const follow = () => controller.abort(outer?.reason)
  outer?.addEventListener('abort', follow)
  const clear = () => {
    clearTimeout(timer)
    outer?.removeEventListener('abort', follow)
  }
  return { signal: controller.signal, clear }
}

const first = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)
