import { createRequire } from 'node:module'
import type { Dispatcher as RealDispatcher } from 'undici'
import { surroundings } from './stand-ins/surroundings.ts'

const { Dispatcher } = createRequire(import.meta.url)('undici') as typeof import('undici')

export type HttpRequest = {
  host: string
  path: string
  method: string
  headers: Record<string, string>
  body: string | Buffer
  /** Aborted where the caller does not wait any more. */
  signal: AbortSignal
}
export type HttpAnswer = { status: number; headers?: Record<string, string>; body: string | Buffer }

/** Carries a request to whom it is for. */
export type Carry = (request: HttpRequest) => Promise<HttpAnswer>

type Options = RealDispatcher.DispatchOptions & { origin?: string | URL }
type Handler = RealDispatcher.DispatchHandler

/** The network of a simulated world, for undici. */
export class Network extends Dispatcher {
  override dispatch(options: Options, handler: Handler): boolean {
    const hungUp = new AbortController()
    const talk = talkTo(handler, (reason) => {
      hungUp.abort(reason)
      end(() => talk.fail(reason))
    })
    let isOver = false
    const limit = options.headersTimeout
      ? setTimeout(() => end(() => talk.fail(failure('UND_ERR_HEADERS_TIMEOUT'))), options.headersTimeout)
      : undefined
    const end = (tell: () => void) => {
      if (isOver) return
      isOver = true
      if (limit) clearTimeout(limit)
      tell()
    }
    talk.begin()
    if (isOver) return true
    const carry = surroundings()?.carry
    if (!carry) throw new Error('no world is simulated')
    carry({
      host: new URL(String(options.origin)).hostname,
      path: options.path,
      method: options.method,
      headers: (options.headers ?? {}) as Record<string, string>,
      body: Buffer.isBuffer(options.body) ? options.body : String(options.body ?? ''),
      signal: hungUp.signal,
    }).then(
      (answer) => end(() => talk.answer(answer)),
      (error: Error) => end(() => talk.fail(error)),
    )
    return true
  }
  override async close(): Promise<void> {}
  override async destroy(): Promise<void> {}
}

/** A failure as the network names it. */
export const failure = (code: string): Error => Object.assign(new Error(`simulated ${code}`), { code })

/** Undici knows handlers of two generations. */
function talkTo(handler: Handler, abort: (reason: Error) => void) {
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
