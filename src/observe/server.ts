import Fastify, { type FastifyInstance } from 'fastify'
import type { Health } from './health.ts'
import type { Metrics } from './metrics.ts'

/** A request that has not come whole by then is cut: whoever sends a letter a minute holds no connection. */
const REQUEST_TIMEOUT_MS = 10_000
/** No request of ours has a body; the webhook, whose secret is compared first, sets its own bound. */
const BODY_LIMIT = 1_024

/** The HTTP server with `/healthz`, `/readyz` and `/metrics`; the webhook is added by its receiver. */
export function createServer({ health, metrics }: { health: Health; metrics: Metrics }): FastifyInstance {
  const server = Fastify({
    forceCloseConnections: true,
    requestTimeout: REQUEST_TIMEOUT_MS,
    bodyLimit: BODY_LIMIT,
    // Node looks at what takes too long only now and then; as often as the term, no request has more than two of them.
    http: { connectionsCheckingInterval: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
  })

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

/** What comes in is read by zod; loading the compilers of JSON schemas would be a twentieth of a start. */
function noSchema(): never {
  throw new Error('this server compiles no JSON schemas')
}
