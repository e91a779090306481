import Fastify, { type FastifyInstance } from 'fastify'
import type { Health } from './health.ts'
import type { Metrics } from './metrics.ts'

/** The HTTP server with `/healthz`, `/readyz` and `/metrics`; the webhook is added by its receiver. */
export function createServer({ health, metrics }: { health: Health; metrics: Metrics }): FastifyInstance {
  const server = Fastify({ forceCloseConnections: true })

  server.get('/healthz', async () => ({ status: 'ok' }))

  server.get('/readyz', async (_request, reply) => {
    const { isReady, parts } = await health.readiness()
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', ...parts })
  })

  server.get('/metrics', async (_request, reply) => {
    return reply.type(metrics.contentType).send(await metrics.text())
  })

  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not found' }))
  server.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    const status = error.statusCode ?? 500
    // The words of an error may repeat what was sent, so only its number goes out.
    return reply.code(status).send({ error: status < 500 ? 'bad request' : 'internal error' })
  })
  return server
}
