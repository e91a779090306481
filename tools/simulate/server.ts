import type { FastifyInstance } from 'fastify'
import type { HttpAnswer, HttpRequest } from './carry.ts'

type Reply = {
  code(status: number): Reply
  header(name: string, value: unknown): Reply
  send(body?: unknown): Reply
}
type Asked = { headers: Record<string, string>; body: unknown }
type Step = (request: Asked, reply: Reply) => Promise<unknown>
type Route = { onRequest: Step; handler: Step }

/** As much of Fastify as the bot's webhook needs; the whole of it costs more than what it is asked for. */
export function createServer() {
  const routes = new Map<string, Route>()
  const server = { post: (path: string, route: Route) => void routes.set(path, route) }

  return {
    server: server as unknown as FastifyInstance,
    async take({ path, headers, body }: HttpRequest): Promise<HttpAnswer> {
      const route = routes.get(path)
      if (!route) return { status: 404, body: '' }
      const answer: HttpAnswer & { headers: Record<string, string> } = { status: 200, headers: {}, body: '' }
      let isSent = false
      const reply: Reply = {
        code(status) {
          answer.status = status
          return reply
        },
        header(name, value) {
          answer.headers[name] = String(value)
          return reply
        },
        send(given) {
          isSent = true
          answer.body = given === undefined ? '' : JSON.stringify(given)
          return reply
        },
      }
      const request = { headers, body: JSON.parse(body.toString()) }
      await route.onRequest(request, reply)
      if (!isSent) await route.handler(request, reply)
      return answer
    },
  }
}
