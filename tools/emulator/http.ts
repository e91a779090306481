import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { RawRequest } from './arguments.ts'
import type { Dispatch } from './dispatch.ts'
import type { FileShelf } from './file-shelf.ts'
import { comesFromHere } from './loopback-guard.ts'
import { CutConnection, notFound, Refusal, tooLarge, unauthorized } from './refusal.ts'

/** Above Telegram's 50 MB for a file, so that the emulator refuses a larger file itself. */
const BODY_LIMIT = 64 * 2 ** 20
/** Longer than the bot keeps an idle connection, so that it never sends into one that is being closed. */
const KEEP_ALIVE_MS = 72_000
const HTML_502 = '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>nginx</body>\r\n</html>\r\n'
const JSON_TYPE = 'application/json; charset=utf-8'

type Deps = { token: string; dispatch: Dispatch; files: FileShelf; isDown: () => boolean }

export type BotApi = {
  server: Server
  /** Starts listening on the loopback and returns the address. */
  listen(port: number): Promise<string>
  readonly listeningOrigin: string
  close(): Promise<void>
}

/**
 * The Bot API over HTTP: `/bot<token>/<method>` and `/file/bot<token>/<path>`. It uses Node's own server:
 * every test story starts one, and a framework would cost more than the work it does.
 */
export function createBotApi({ token, dispatch, files, isDown }: Deps): BotApi {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 }, (request, response) => {
    handle(request, response).catch((error) => {
      if (error instanceof CutConnection) response.destroy()
      else refuse(response, asRefusal(error))
    })
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!comesFromHere(request)) return sendJson(response, 403, FOREIGN)
    const body = await readBody(request)
    if (isDown()) throw new CutConnection()
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://emulator')
    const [, isFile, given, rest = ''] = /^(\/file)?\/bot([^/]+)\/?(.*)$/.exec(pathname) ?? []
    if (given === undefined) throw notFound('Not Found')
    if (decodeURIComponent(given) !== token) throw unauthorized()
    if (isFile) return sendFile(response, decodeURIComponent(rest))
    const contentType = request.headers['content-type'] ?? ''
    return call(response, rest, { query: searchParams, contentType, body })
  }

  async function call(response: ServerResponse, method: string, raw: RawRequest): Promise<void> {
    const hungUp = new AbortController()
    // Aborting creates an error with a stack, so it is skipped when the answer has been sent.
    response.once('close', () => {
      if (!response.writableFinished) hungUp.abort()
    })
    const outcome = await dispatch.call({ method, signal: hungUp.signal, raw })
    if (outcome === 'bad gateway') return send(response, 502, 'text/html', HTML_502)
    sendJson(response, 200, { ok: true, result: outcome.result })
  }

  function sendFile(response: ServerResponse, path: string): void {
    const file = files.byPath(path)
    const bytes = file && files.bytes(file)
    if (!bytes) throw notFound('Not Found')
    send(response, 200, 'application/octet-stream', bytes)
  }

  return {
    server,
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, '127.0.0.1', () => resolve(originOf(server)))
      }),
    get listeningOrigin() {
      return originOf(server)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const FOREIGN = { error: 'This address serves its own machine only.' }

function originOf(server: Server): string {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}

function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > BODY_LIMIT) reject(tooLarge())
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', () => reject(new CutConnection()))
  })
}

/** The answer to a call of the Bot API without a connection. Throws where a connection would be cut. */
export async function answerTo(
  { dispatch, isDown }: Pick<Deps, 'dispatch' | 'isDown'>,
  request: { method: string; raw: RawRequest; signal: AbortSignal },
): Promise<{ status: number; body: string }> {
  try {
    if (isDown()) throw new CutConnection()
    const outcome = await dispatch.call(request)
    if (outcome === 'bad gateway') return { status: 502, body: HTML_502 }
    return { status: 200, body: JSON.stringify({ ok: true, result: outcome.result }) }
  } catch (error) {
    if (error instanceof CutConnection) throw error
    const refusal = asRefusal(error)
    return { status: refusal.code, body: JSON.stringify(wireRefusal(refusal)) }
  }
}

const asRefusal = (error: unknown): Refusal =>
  error instanceof Refusal ? error : new Refusal(500, 'Internal Server Error')

function refuse(response: ServerResponse, refusal: Refusal): void {
  const { code, retryAfter } = refusal
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
  sendJson(response, code, wireRefusal(refusal))
}

const sendJson = (response: ServerResponse, code: number, body: object) =>
  send(response, code, JSON_TYPE, JSON.stringify(body))

function send(response: ServerResponse, code: number, type: string, body: string | Buffer): void {
  response.writeHead(code, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

function wireRefusal({ code, message, retryAfter }: Refusal) {
  return {
    ok: false,
    error_code: code,
    description: message,
    ...(retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } }),
  }
}
