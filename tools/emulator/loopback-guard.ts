import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]', '::1'])

export const isLoopback = (host: string): boolean => LOOPBACK.has(host.toLowerCase())

/**
 * Accepts only pages and programs of this machine. Another `Host` means that a foreign name points here (DNS
 * rebinding), another `Origin` that a foreign page makes the request. Both get 403 before anything is read.
 */
export function guardLoopback(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (comesFromHere(request.raw)) return
    return reply.code(403).send({ error: 'This address serves its own machine only.' })
  })
}

/** Whether a request to this address comes from a page of ours or from a program. */
export function comesFromHere({
  headers: { host = '', origin },
  socket: { localPort },
}: IncomingMessage): boolean {
  return isOwn(`http://${host}`, localPort) && (origin === undefined || isOwn(origin, localPort))
}

function isOwn(address: string, ownPort: number | undefined): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, port, pathname } = new URL(address)
  return protocol === 'http:' && pathname === '/' && isLoopback(hostname) && Number(port || 80) === ownPort
}
