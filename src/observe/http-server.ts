import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { isIP } from 'node:net'
import { isLoopback } from '../config.ts'
import type { Health } from './health.ts'
import type { Metrics } from './metrics.ts'

/** A request that is not complete by then is cut, so that a slow sender cannot hold a connection. */
const REQUEST_TIMEOUT_MS = 10_000
/** Ten times what Telegram opens to one webhook. */
const MOST_CONNECTIONS = 1_000

export type HttpRequest = {
  headers: http.IncomingHttpHeaders
  /** Reads the whole body; throws `TooLarge` above so many bytes. */
  body: (limit: number) => Promise<Buffer>
}
/** An object as the body is sent as JSON. */
export type HttpReply = { status: number; headers?: http.OutgoingHttpHeaders; body?: string | object }
export type Route = (request: HttpRequest) => Promise<HttpReply>

/** The part of a server to which others add their routes. */
export type HttpRoutes = ReturnType<typeof createRoutes>
export type HttpServer = ReturnType<typeof createHttpServer>

/** A body exceeds its limit. */
export class TooLarge extends Error {}

/** Finds the route of a request; an error reply repeats nothing that was sent. */
export function createRoutes() {
  const routes = new Map<string, Route>()
  return {
    on: (method: 'GET' | 'POST', path: string, route: Route) => void routes.set(`${method} ${path}`, route),
    /** Answers a request, wherever it came from. */
    async reply(method: string, path: string, request: HttpRequest): Promise<HttpReply> {
      const route = routes.get(`${method === 'HEAD' ? 'GET' : method} ${path}`)
      if (!route) return { status: 404, body: { error: 'not found' } }
      try {
        return await route(request)
      } catch (error) {
        if (error instanceof TooLarge) return { status: 413, body: { error: 'bad request' } }
        return { status: 500, body: { error: 'internal error' } }
      }
    },
  }
}

/** The HTTP server of this process. */
export function createHttpServer({ timeoutMs = REQUEST_TIMEOUT_MS } = {}) {
  const routes = createRoutes()
  const timeouts = {
    requestTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    // Node checks for timeouts only at this interval: no request lasts longer than two of them.
    connectionsCheckingInterval: timeoutMs,
  }
  const server = http.createServer(timeouts, async (incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    const [path = ''] = url.split('?')
    const body = (limit: number) => read(incoming, Number(headers['content-length'] ?? 0), limit)
    const reply = await routes.reply(method, path, { headers, body })
    const text = typeof reply.body === 'object' ? JSON.stringify(reply.body) : reply.body
    // The rest of a body is not waited for.
    if (reply.status >= 400) outgoing.shouldKeepAlive = false
    outgoing.writeHead(reply.status, {
      ...(typeof reply.body === 'object' && { 'content-type': 'application/json; charset=utf-8' }),
      'content-length': Buffer.byteLength(text ?? ''),
      ...reply.headers,
    })
    outgoing.end(method === 'HEAD' ? undefined : text)
  })

  server.maxConnections = MOST_CONNECTIONS

  return {
    ...routes,
    /** Returns the address. Throws the error of the system if the port is taken. */
    async listen({ host, port }: { host: string; port: number }): Promise<string> {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, resolve)
      })
      const { address, family, port: taken } = server.address() as AddressInfo
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
    },
    async close(): Promise<void> {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Reads by events, as all updates come this way: iterating takes as long as all other work on a request. */
function read(incoming: http.IncomingMessage, announced: number, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (announced > limit) return reject(new TooLarge())
    const parts: Buffer[] = []
    let length = 0
    incoming.on('data', (part: Buffer) => {
      length += part.length
      if (length <= limit) return parts.push(part)
      incoming.pause()
      return reject(new TooLarge())
    })
    incoming.once('end', () => resolve(Buffer.concat(parts)))
    // Also if the sender hangs up.
    incoming.once('error', reject)
  })
}

/** The HTTP server with `/healthz`, `/readyz` and `/metrics`; the webhook is added by its receiver. */
export function createServer(deps: { health: Health; metrics: Metrics; host?: string }): HttpServer {
  const { health, metrics, host } = deps
  const server = createHttpServer()
  const inside = (path: string, route: () => Promise<HttpReply>) =>
    server.on('GET', path, async ({ headers }) =>
      isInside(headers.host, host) ? route() : { status: 421, body: { error: 'unknown host' } },
    )
  server.on('GET', '/healthz', async () => ({ status: 200, body: { status: 'ok' } }))
  inside('/readyz', async () => {
    const { isReady, parts } = await health.readiness()
    return { status: isReady ? 200 : 503, body: { status: isReady ? 'ready' : 'not ready', ...parts } }
  })
  inside('/metrics', async () => ({
    status: 200,
    headers: { 'content-type': metrics.contentType },
    body: await metrics.text(),
  }))
  return server
}

const EVERYWHERE = ['0.0.0.0', '::', '[::]']

/**
 * Whether a request is meant for this server: by loopback or by the name in `HOST`. If that is every address,
 * an address or a name without a dot (`bot:8080`) is accepted, but no public name, of a proxy or of a page
 * that misuses DNS. A request without a host is not from a browser.
 */
function isInside(given: string | undefined, host = '127.0.0.1'): boolean {
  if (given === undefined) return true
  const name = given.replace(/:\d+$/, '').toLowerCase()
  if (isLoopback(name) || name === host.toLowerCase() || name === `[${host.toLowerCase()}]`) return true
  return EVERYWHERE.includes(host) && (isIP(name.replace(/^\[|\]$/g, '')) > 0 || !name.includes('.'))
}
