import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { AppDeps } from './app-deps.ts'
import { parse } from './applicants.ts'
import { faultSchema } from './faults.ts'
import { failure, Refusal } from './refusal.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The levers beside the service, for the demo and the tests only. They need no key, so a web page must not reach them. */
export function controlRoutes(app: FastifyInstance, { world, reset, open, register }: AppDeps) {
  app.addHook('onRequest', async ({ hostname, headers: { origin } }) => {
    const foreign = origin !== undefined && !(URL.canParse(origin) && LOOPBACK.has(new URL(origin).hostname))
    if (!LOOPBACK.has(hostname) || foreign) throw new Refusal(403, 'The sandbox answers this machine only.')
  })
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    const refused = error instanceof Refusal
    const status = refused ? error.status : (error.statusCode ?? 500)
    return reply.code(status).send(failure(refused ? error.messages : [error.message]))
  })

  app.get('/sms', async () => world.state.sms)

  app.get('/invitations', async () => world.state.seeds)

  app.post('/reset', async () => {
    reset()
    return {}
  })

  // One fault or several.
  app.post('/faults', async (request) => {
    const faults = parse(
      z.union([faultSchema.transform((fault) => [fault]), z.array(faultSchema)]),
      request.body,
    )
    for (const fault of faults) world.faults.add(fault)
    return { added: faults.length }
  })

  // What the organizer does in his panel: a record or roadmap that waits (status 0) becomes ready (2).
  app.post('/open', async (request) => {
    const { token } = parse(z.object({ token: z.string() }), request.body)
    if (!open(token)) throw new Refusal(404, 'There is no such record or roadmap.')
    return {}
  })

  // What the organizer does in his panel, beside the bot: registers a record, or some roles of a roadmap.
  app.post('/register', async (request) => {
    const { token } = parse(z.object({ token: z.string() }), request.body)
    if (!register(token, request.body)) throw new Refusal(404, 'There is no such record or roadmap.')
    return {}
  })
}
