import { buffer } from 'node:stream/consumers'
import { type Api, HttpError, type Transformer } from 'grammy'
import type { Dispatcher } from 'undici'

/** The signal type in grammY's types, from a package: Node's differs in its event types only. */
export type GrammySignal = Parameters<Api['getMe']>[0] & {}

/** A signal of Node in grammY's type; grammY passes it to our transport. */
export const forGrammy = (signal: AbortSignal): GrammySignal => signal as never

/** A signal from grammY in Node's type. */
export const fromGrammy = (signal: GrammySignal | undefined): AbortSignal | undefined => signal as never

/** Telegram's answer: `ok`, or an `error_code` and a `description`, which are always set. */
type Body = { ok: boolean; error_code?: number; description?: string }

const TIMEOUT_MS = { call: 15_000, upload: 60_000, getUpdates: 60_000 }

type Posting = {
  origin: string
  path: string
  type?: string | undefined
  body: string | Buffer
  limitMs: number
  signal: AbortSignal | undefined
}

/** Makes one request to the Bot API over undici. */
type Post = (call: Posting) => Promise<Body>

export const createPost =
  (dispatcher: Dispatcher, onDate?: (at: number) => void): Post =>
  ({ origin, path, type = 'application/json', body, limitMs, signal }) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(hungUp())
      const chunks: Buffer[] = []
      let status = 0
      let hangUp: (() => void) | undefined
      let startedAt = 0
      // A new object, because undici's proxy agent writes a `host` into it.
      const headers = { 'content-type': type }
      const limits = { headersTimeout: limitMs, bodyTimeout: limitMs }
      const leave = () => {
        hangUp?.()
        reject(hungUp())
      }
      signal?.addEventListener('abort', leave)
      const end = (settle: () => void) => {
        signal?.removeEventListener('abort', leave)
        settle()
      }
      dispatcher.dispatch(
        { origin, path, method: 'POST', headers, body, ...limits },
        {
          onRequestStart(controller) {
            hangUp = () => controller.abort(hungUp())
            if (signal?.aborted) hangUp()
          },
          onResponseStart(_, statusCode, { date }) {
            status = statusCode
            startedAt = performance.now()
            const at = Date.parse(String(date))
            if (at > 0) onDate?.(at)
          },
          onResponseData(controller, chunk) {
            chunks.push(chunk)
            // undici's body timeout applies to each chunk only.
            if (performance.now() - startedAt > 2 * limitMs) controller.abort(hungUp())
          },
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

const hungUp = () => new DOMException('nobody waits for the call any more', 'AbortError')

/** Methods that may upload a file. */
const UPLOAD = /^(sendPhoto|sendDocument)$/

/**
 * Sends calls without files directly, because streams and signals of grammY's client cost more than the call.
 * It must be the innermost transformer. It fails like that client, with an `HttpError` around the cause.
 */
export function createDirect(post: Post, apiRoot: string, token: string): Transformer {
  const { origin, pathname } = new URL(apiRoot)
  const base = `${pathname.replace(/\/$/, '')}/bot${token}/`
  return async (prev, method, payload, signal) => {
    if (UPLOAD.test(method)) return prev(method, payload, signal)
    const limitMs = method === 'getUpdates' ? TIMEOUT_MS.getUpdates : TIMEOUT_MS.call
    const call = { origin, path: base + method, body: JSON.stringify(payload), limitMs }
    try {
      return (await post({ signal: fromGrammy(signal), ...call })) as never
    } catch (error) {
      throw new HttpError(`Network request for '${method}' failed!`, error)
    }
  }
}

/** The part of `fetch` that grammY uses: it sends text, or an upload as a stream. */
type Fetch = (
  url: string,
  init: {
    headers: Readonly<Record<string, string>>
    body: string | AsyncIterable<Uint8Array>
    signal: AbortSignal
  },
) => Promise<{ json(): Promise<Body> }>

/** Sends the uploads of grammY's client: reads the stream first, so that the request has a length. */
export const createFetch =
  (post: Post): Fetch =>
  async (url, { headers: { 'content-type': type }, body: given, signal }) => {
    const { origin, pathname: path } = new URL(url)
    const body = typeof given === 'string' ? given : await buffer(given)
    const answer = await post({ origin, path, type, body, limitMs: TIMEOUT_MS.upload, signal })
    return { json: async () => answer }
  }

const isBody = (body: unknown): body is Body =>
  typeof body === 'object' && body !== null && 'ok' in body && typeof body.ok === 'boolean'

/** A gateway's HTML page does not tell what happened, so it is an error like a lost connection. */
function parseAnswer(text: string, status: number): Body {
  try {
    const body: unknown = JSON.parse(text)
    if (isBody(body)) return body.ok ? body : { error_code: status, description: '', ...body }
  } catch {
    // falls through: the text may contain anything, so the error does not repeat it
  }
  throw new Error(`Telegram gave an unreadable answer with status ${status}`)
}
