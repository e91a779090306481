import { setTimeout as sleep } from 'node:timers/promises'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Access } from './access.ts'
import type { AppDeps, Call } from './app-deps.ts'
import { controlRoutes } from './control-routes.ts'
import type { PendingFault } from './faults.ts'
import { recordRoutes } from './record-routes.ts'
import { failure, Refusal, success } from './refusal.ts'
import { roadmapRoutes } from './roadmap-routes.ts'

/** The HTTP face of the sandbox: the specification under `/v2`, levers for demo and tests under `/sandbox`. */
export function createApp(deps: AppDeps): FastifyInstance {
  const app = fastify({
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // A path that is no address at all, or a token too long to be one, reaches no route and so no hook.
    frameworkErrors: (_error, request, reply) => refuseUnroutable(deps, request, reply as FastifyReply),
  })
  const closing = new AbortController()
  app.addHook('onClose', async () => closing.abort())
  // A POST without a body may still announce JSON.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(body as string))
    } catch {
      done(new Refusal(400, 'The body is not valid JSON.'))
    }
  })
  app.decorateRequest('organizer', '')
  app.decorateRequest('fault', null)
  app.decorateRequest('call', null)

  app.register(async (v2) => serveSpecification(v2, deps, closing.signal), { prefix: '/v2' })
  app.register(async (levers) => controlRoutes(levers, deps), { prefix: '/sandbox' })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(failure(['Not found.'])))
  return app
}

/** The order in which a call meets the service: network, key, rate, endpoint, envelope, network. */
function serveSpecification(v2: FastifyInstance, deps: AppDeps, closing: AbortSignal) {
  const { world, access, onCall, onChange, log } = deps

  v2.addHook('onRequest', async (request, reply) => {
    const path = request.url.slice('/v2'.length)
    const call: Call = { method: request.method, path, status: 0, at: world.now() }
    request.setDecorator('call', call)
    onCall(call)
    const fault = world.faults.take(request.method, path.split('?', 1)[0] ?? '')
    if (!fault) return
    if ('executed' in fault && fault.executed) request.setDecorator('fault', fault)
    else return suffer(fault, request, reply, closing)
  })

  v2.addHook('onRequest', async (request) => {
    request.setDecorator('organizer', admit(access, request))
  })

  v2.addHook('preHandler', async (request) => {
    if (request.body !== undefined) callOf(request).body = request.body
  })

  recordRoutes(v2, world)
  roadmapRoutes(v2, world)
  v2.setNotFoundHandler((_request, reply) => reply.code(404).send(failure(['Not found.'])))

  v2.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof Refusal) return reply.code(error.status).send(failure(error.messages))
    const status = error.statusCode ?? 500
    if (status >= 500) log({ error: error.stack })
    return reply.code(status).send(failure([status < 500 ? error.message : 'Internal error.']))
  })

  v2.addHook('preSerialization', async (_request, reply, payload) =>
    reply.statusCode < 400 ? success(payload) : payload,
  )

  v2.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET') onChange()
    const fault = request.getDecorator<PendingFault | null>('fault')
    const sent = fault ? await replaceAnswer(fault, request, reply, payload, closing) : payload
    const cut = request.raw.socket.destroyed
    const call = callOf(request)
    call.status = cut ? 0 : reply.statusCode
    // The pattern of the path, because the path itself carries a token.
    const endpoint = request.routeOptions.url ?? null
    log({ method: call.method, endpoint, status: call.status, ms: Math.round(reply.elapsedTime) })
    return sent
  })
}

/** The organizer that the call's key belongs to, the call counted. @throws Refusal */
function admit(access: Access, request: FastifyRequest): string {
  const key = request.headers['api-key']
  const organizer = access.organizer(key)
  access.spend(String(key))
  return organizer
}

/** Answers a path that leads nowhere as every other one: the key first, then 404 in the envelope. */
function refuseUnroutable({ access }: AppDeps, request: FastifyRequest, reply: FastifyReply) {
  let refusal = new Refusal(404, 'Not found.')
  try {
    if (request.url.startsWith('/v2/')) admit(access, request)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refusal = error
  }
  reply.code(refusal.status).send(failure(refusal.messages))
}

/** A fault that strikes before the request takes effect. */
async function suffer(
  fault: PendingFault,
  request: FastifyRequest,
  reply: FastifyReply,
  closing: AbortSignal,
) {
  switch (fault.kind) {
    case 'slow':
      return pause(fault.ms, AbortSignal.any([fault.ended, closing]))
    case 'rate-limit':
      if (fault.retryAfter !== undefined) reply.header('retry-after', fault.retryAfter)
      return reply.code(429).send(failure(['Rate limit exceeded.']))
    case 'status':
      return reply.code(fault.status).send(failure([fault.message]))
    case 'garbage':
      return reply.code(fault.status).type('text/html').send(GARBAGE)
    case 'cut':
      request.raw.socket.destroy()
      return reply.hijack()
  }
}

/** A fault that strikes after the request took effect: the state has changed, the answer is lost. */
async function replaceAnswer(
  fault: PendingFault,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  closing: AbortSignal,
) {
  switch (fault.kind) {
    case 'slow':
      await pause(fault.ms, AbortSignal.any([fault.ended, closing]))
      return payload
    case 'status':
      reply.code(fault.status)
      return JSON.stringify(failure([fault.message]))
    case 'garbage':
      reply.code(fault.status).type('text/html')
      return GARBAGE
    case 'cut':
      request.raw.socket.destroy()
      return payload
    default:
      return payload
  }
}

const GARBAGE = '<html><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>'

/** Waits, but never longer than the fault and the sandbox last. */
async function pause(ms: number, end: AbortSignal) {
  await sleep(ms, undefined, { signal: end }).catch(() => undefined)
}

function callOf(request: FastifyRequest): Call {
  return request.getDecorator<Call>('call')
}
