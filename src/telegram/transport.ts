import { buffer } from 'node:stream/consumers'
import { type Api, HttpError, type Transformer } from 'grammy'
import type { Dispatcher } from 'undici'

/** The signal of a package that grammY names in its types: Node's own is the same, but for the types of its events. */
export type GrammySignal = Parameters<Api['getMe']>[0] & {}

/** A signal of Node's as grammY takes it, which hands it on to our own transport. */
export const forGrammy = (signal: AbortSignal): GrammySignal => signal as never

/** A signal that went through grammY as it was given. */
export const fromGrammy = (signal: GrammySignal | undefined): AbortSignal | undefined => signal as never

/** What Telegram answers: `ok`, or an `error_code` and a `description` that are always there. */
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

/** Carries a call of the Bot API over undici, once. */
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
      // undici's proxy agent writes a `host` into the very object that it is given.
      const headers = { 'content-type': type }
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
            // The limit of a body is for each piece of it.
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

/** What may carry a file. */
const UPLOAD = /^(sendPhoto|sendDocument)$/

/**
 * Carries calls without files past grammY's own client, whose streams and signals cost more than the call. It has to be the
 * innermost transformer. Fails as that client does: with an `HttpError` around what happened.
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

/** What grammY asks of `fetch`, and no more: what it sends is text, or an upload as a stream. */
type Fetch = (
  url: string,
  init: {
    headers: Readonly<Record<string, string>>
    body: string | AsyncIterable<Uint8Array>
    signal: AbortSignal
  },
) => Promise<{ json(): Promise<Body> }>

/** Carries the uploads of grammY's own client: each arrives as a stream, and read first it goes out with its length. */
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

/** A gateway's page of HTML says nothing about what happened, so it is an error like a lost connection. */
function parseAnswer(text: string, status: number): Body {
  try {
    const body: unknown = JSON.parse(text)
    if (isBody(body)) return body.ok ? body : { error_code: status, description: '', ...body }
  } catch {
    // falls through: the text itself may hold anything, so it is not repeated in the error
  }
  throw new Error(`Telegram gave an unreadable answer with status ${status}`)
}
