import { HttpError, type Transformer } from 'grammy'
import type { Dispatcher } from 'undici'
import type { GrammySignal } from './signal.ts'
import { type Body, parseAnswer, TIMEOUT_MS } from './transport.ts'

/** What may carry a file, and the long poll, which costs nothing: these stay with grammY's own client. */
const NOT_DIRECT = /^(sendPhoto|sendDocument|sendMediaGroup|getUpdates|deleteWebhook)$/

/**
 * Carries calls without files over undici, past grammY's own client, whose streams and signals cost more than the call. It has
 * to be the innermost transformer. Fails as that client does: with an `HttpError` around what happened.
 */
export function createDirect(dispatcher: Dispatcher, apiRoot: string, token: string): Transformer {
  const { origin, pathname } = new URL(apiRoot)
  const base = `${pathname.replace(/\/$/, '')}/bot${token}/`

  function post(method: string, payload: object, signal: GrammySignal | undefined): Promise<Body> {
    const limitMs = TIMEOUT_MS.call
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(hungUp())
      const chunks: Buffer[] = []
      let status = 0
      let hangUp: (() => void) | undefined
      // undici's proxy agent writes a `host` into the very object that it is given.
      const headers = { 'content-type': 'application/json' }
      const begun = { path: base + method, method: 'POST', headers, body: JSON.stringify(payload) } as const
      const limits = { headersTimeout: limitMs, bodyTimeout: limitMs }
      const leave = () => {
        hangUp?.()
        reject(hungUp())
      }
      signal?.addEventListener('abort', leave)
      const end = (tell: () => void) => {
        signal?.removeEventListener('abort', leave)
        tell()
      }
      dispatcher.dispatch(
        { origin, ...begun, ...limits },
        {
          onRequestStart(controller) {
            hangUp = () => controller.abort(hungUp())
            if (signal?.aborted) hangUp()
          },
          onResponseStart(_, statusCode) {
            status = statusCode
          },
          onResponseData: (_, chunk) => void chunks.push(chunk),
          onResponseEnd() {
            end(() => {
              try {
                resolve(parseAnswer(Buffer.concat(chunks).toString(), status))
              } catch (error) {
                reject(error)
              }
            })
          },
          onResponseError: (_, error) => end(() => reject(error)),
        },
      )
    })
  }

  return async (prev, method, payload, signal) => {
    if (NOT_DIRECT.test(method)) return prev(method, payload, signal)
    try {
      return (await post(method, payload, signal)) as never
    } catch (error) {
      throw new HttpError(`Network request for '${method}' failed!`, error)
    }
  }
}

const hungUp = () => new DOMException('nobody waits for the call any more', 'AbortError')
