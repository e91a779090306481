import type { FastifyInstance, FastifyReply } from 'fastify'

const HEARTBEAT_MS = 15_000

type EventStream = { send(type: string, data: unknown): void }

export type EventStreams = ReturnType<typeof createEventStreams>

/** Server-sent events that end when the server closes. */
export function createEventStreams(app: FastifyInstance) {
  const open = new Set<FastifyReply>()
  app.addHook('preClose', async () => {
    for (const reply of open) reply.raw.end()
  })

  /** Turns the reply into a stream; `subscribe` gets it and returns a function that unsubscribes. */
  return function stream(reply: FastifyReply, subscribe: (events: EventStream) => () => void): void {
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    open.add(reply)
    const stop = subscribe({
      send: (type, data) => void raw.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`),
    })
    const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS)
    raw.once('close', () => {
      clearInterval(heartbeat)
      stop()
      open.delete(reply)
    })
  }
}
