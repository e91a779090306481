import { type Dispatcher, request } from 'undici'

/** What Telegram answers: `ok`, or an `error_code` that is always there. */
export type Body = { ok: boolean; error_code?: number }

export const TIMEOUT_MS = { call: 15_000, upload: 60_000, getUpdates: 60_000 }

/** What grammY asks of `fetch`, and no more: what it sends is text, or an upload as a stream. */
type Fetch = (
  url: string,
  init: {
    headers: Readonly<Record<string, string>>
    body: string | AsyncIterable<Uint8Array>
    signal: AbortSignal
  },
) => Promise<{ json(): Promise<Body> }>

/** Carries the calls of the Bot API over undici, each once. */
export function createTransport(dispatcher: Dispatcher): Fetch {
  return async (url, { headers, body, signal }) => {
    const { 'content-type': type = 'application/json' } = headers
    const bytes = typeof body === 'string' ? body : await read(body, signal)
    const limitMs = timeoutMs(url, bytes)
    const response = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': type },
      body: bytes,
      signal,
      headersTimeout: limitMs,
      bodyTimeout: limitMs,
    })
    const answer = parseAnswer(await response.body.text(), response.statusCode)
    return { json: async () => answer }
  }
}

/** An upload arrives as a stream; read first, it goes out with its length. */
async function read(stream: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  if (signal.aborted) throw new Error('The upload could not be read')
  return Buffer.concat(chunks)
}

function timeoutMs(url: string, body: string | Buffer): number {
  if (url.endsWith('/getUpdates')) return TIMEOUT_MS.getUpdates
  return typeof body === 'string' ? TIMEOUT_MS.call : TIMEOUT_MS.upload
}

const isBody = (body: unknown): body is Body =>
  typeof body === 'object' && body !== null && 'ok' in body && typeof body.ok === 'boolean'

/** A gateway's page of HTML says nothing about what happened, so it is an error like a lost connection. */
export function parseAnswer(text: string, status: number): Body {
  try {
    const body: unknown = JSON.parse(text)
    if (isBody(body)) return body.ok ? body : { error_code: status, ...body }
  } catch {
    // falls through: the text itself may hold anything, so it is not repeated in the error
  }
  throw new Error(`Telegram gave an unreadable answer with status ${status}`)
}
