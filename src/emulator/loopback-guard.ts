import type { FastifyInstance } from 'fastify'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]', '::1'])

export const isLoopback = (host: string): boolean => LOOPBACK.has(host.toLowerCase())

/**
 * Lets only this machine's own pages and programs in: another `Host` means that a foreign name points at us (DNS
 * rebinding), another `Origin` that a foreign page calls us. Both get 403 before anything is read.
 */
export function guardLoopback(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { host, origin } = request.headers
    const ownPort = request.socket.localPort
    if (isOwn(`http://${host ?? ''}`, ownPort) && (origin === undefined || isOwn(origin, ownPort))) return
    return reply.code(403).send({ error: 'This address serves its own machine only.' })
  })
}

function isOwn(address: string, ownPort: number | undefined): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, port, pathname } = new URL(address)
  return protocol === 'http:' && pathname === '/' && isLoopback(hostname) && Number(port || 80) === ownPort
}
