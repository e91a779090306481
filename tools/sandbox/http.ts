import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** A request as it arrived; header names are in lower case. */
export interface Asked {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** Aborts when the caller no longer waits for the answer. */
  readonly signal: AbortSignal
}
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The connection is cut without an answer. */
export class CutConnection extends Error {}

export interface HttpServer {
  readonly server: Server
  /** Starts listening and returns the address. */
  listen(where: { port: number; host: string }): Promise<string>
  close(): Promise<void>
}

const BODY_LIMIT = 2 ** 20
/** Longer than the bot keeps an idle connection, so that it never sends into one that is being closed. */
const KEEP_ALIVE_MS = 72_000

/** Answers over HTTP with Node's own server: each test starts one, and a framework would cost too much. */
export function createHttpServer(answer: (asked: Asked) => Promise<Answer>): HttpServer {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 }, (request, response) => {
    handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const hungUp = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) hungUp.abort()
    })
    const { method = '', url = '', headers } = request
    const body = await read(request)
    if (!body) return void response.writeHead(413, { connection: 'close' }).end()
    const {
      status,
      headers: own,
      body: text,
    } = await answer({ method, url, headers, body, signal: hungUp.signal })
    response.writeHead(status, { ...own, 'content-length': Buffer.byteLength(text) })
    response.end(method === 'HEAD' ? undefined : text)
  }

  return {
    server,
    listen: ({ port, host }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => resolve(addressOf(server)))
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The whole body; `undefined` when it is too long. */
async function read(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BODY_LIMIT) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function addressOf(server: Server): string {
  const at = server.address()
  if (typeof at !== 'object' || !at) throw new Error('The sandbox does not listen.')
  return `http://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`
}
