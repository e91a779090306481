import { createRequire } from 'node:module'
import type { Dispatcher as RealDispatcher } from 'undici'
import type { HttpAnswer } from './carry.ts'
import { surroundings } from './stand-ins/surroundings.ts'

const { Dispatcher } = createRequire(import.meta.url)('undici') as typeof import('undici')

type Options = RealDispatcher.DispatchOptions & { origin?: string | URL }
type Handler = RealDispatcher.DispatchHandler

type Asked = Pick<Options, 'origin' | 'path' | 'method' | 'headers' | 'body' | 'headersTimeout'> & {
  signal?: AbortSignal | null
  onWritten?: () => void
}

/** Sends a request through the simulated network, until it times out or the caller aborts. */
export function talk(asked: Asked): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { signal, headersTimeout, body, onWritten } = asked
    if (signal?.aborted) return reject(signal.reason)
    const hungUp = new AbortController()
    const leave = (reason: unknown) => end(() => reject(reason), reason)
    const follow = () => leave(signal?.reason)
    const limit = headersTimeout
      ? setTimeout(() => leave(failure('UND_ERR_HEADERS_TIMEOUT')), headersTimeout)
      : undefined
    let isOver = false
    const end = (settle: () => void, reason?: unknown) => {
      if (isOver) return
      isOver = true
      if (limit) clearTimeout(limit)
      signal?.removeEventListener('abort', follow)
      if (reason !== undefined) hungUp.abort(reason)
      settle()
    }
    signal?.addEventListener('abort', follow)
    const carry = surroundings()?.carry
    if (!carry) throw new Error('no world is simulated')
    carry({
      host: hostIn(String(asked.origin)),
      path: asked.path,
      method: asked.method,
      headers: (asked.headers ?? {}) as Record<string, string>,
      body: Buffer.isBuffer(body) ? body : String(body ?? ''),
      signal: hungUp.signal,
      onWritten,
    }).then(
      (answer) => end(() => resolve(answer)),
      (error: Error) => end(() => reject(error)),
    )
  })
}

const hostIn = (origin: string) => /^\w+:\/\/([^:/]+)/.exec(origin)?.[1] ?? origin

/** The network of a simulated world, for undici. */
export class Network extends Dispatcher {
  override dispatch(options: Options, handler: Handler): boolean {
    const hungUp = new AbortController()
    const responder = responderOf(handler, (reason) => hungUp.abort(reason))
    let isBegun = false
    const begin = () => {
      if (!isBegun) responder.begin()
      isBegun = true
    }
    const { signal } = options as { signal?: unknown }
    if (signal instanceof AbortSignal) signal.addEventListener('abort', () => hungUp.abort(signal.reason))
    talk({ ...options, signal: hungUp.signal, onWritten: begin }).then(
      (answer) => {
        begin()
        responder.answer(answer)
      },
      (error: Error) => responder.fail(error),
    )
    return true
  }
  override async close(): Promise<void> {}
  override async destroy(): Promise<void> {}
}

/** A network error with this code. */
export const failure = (code: string): Error => Object.assign(new Error(`simulated ${code}`), { code })

/** Undici supports handlers of two generations. */
function responderOf(handler: Handler, abort: (reason: Error) => void) {
  if (!handler.onRequestStart) {
    return {
      begin: () => handler.onConnect?.((reason?: Error) => abort(reason ?? failure('UND_ERR_ABORTED'))),
      answer({ status, headers = {}, body }: HttpAnswer) {
        const raw = Object.entries(headers).flatMap((header) => header.map((text) => Buffer.from(text)))
        handler.onHeaders?.(status, raw, () => undefined, '')
        handler.onData?.(Buffer.from(body))
        handler.onComplete?.([])
      },
      fail: (error: Error) => handler.onError?.(error),
    }
  }
  const controller = {
    paused: false,
    aborted: false,
    reason: null,
    rawHeaders: [],
    rawTrailers: [],
    abort,
    pause: () => undefined,
    resume: () => undefined,
  }
  return {
    begin: () => handler.onRequestStart?.(controller, null),
    answer({ status, headers = {}, body }: HttpAnswer) {
      handler.onResponseStart?.(controller, status, headers, '')
      handler.onResponseData?.(controller, Buffer.from(body))
      handler.onResponseEnd?.(controller, {})
    },
    fail: (error: Error) => handler.onResponseError?.(controller, error),
  }
}
