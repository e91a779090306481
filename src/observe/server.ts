import type { Health } from './health.ts'
import { createHttpServer, type HttpServer } from './http-server.ts'
import type { Metrics } from './metrics.ts'

/** The HTTP server with `/healthz`, `/readyz` and `/metrics`; the webhook is added by its receiver. */
export function createServer({ health, metrics }: { health: Health; metrics: Metrics }): HttpServer {
  const server = createHttpServer()
  server.on('GET', '/healthz', async () => ({ status: 200, body: { status: 'ok' } }))
  server.on('GET', '/readyz', async () => {
    const { isReady, parts } = await health.readiness()
    return { status: isReady ? 200 : 503, body: { status: isReady ? 'ready' : 'not ready', ...parts } }
  })
  server.on('GET', '/metrics', async () => ({
    status: 200,
    headers: { 'content-type': metrics.contentType },
    body: await metrics.text(),
  }))
  return server
}
