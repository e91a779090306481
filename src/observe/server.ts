import { isIP } from 'node:net'
import { isLoopback } from '../config.ts'
import type { Health } from './health.ts'
import { createHttpServer, type HttpReply, type HttpServer } from './http-server.ts'
import type { Metrics } from './metrics.ts'

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
 * Whether a request was meant for this server: by loopback or by the name in `HOST`. Where that is every address, an
 * address or a name without a dot (`bot:8080`) will do; a public name, of a proxy or of a page that plays tricks with
 * DNS, will not. Who names no host is no browser.
 */
function isInside(given: string | undefined, host = '127.0.0.1'): boolean {
  if (given === undefined) return true
  const name = given.replace(/:\d+$/, '').toLowerCase()
  if (isLoopback(name) || name === host.toLowerCase() || name === `[${host.toLowerCase()}]`) return true
  return EVERYWHERE.includes(host) && (isIP(name.replace(/^\[|\]$/g, '')) > 0 || !name.includes('.'))
}
