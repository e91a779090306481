import type { Access } from './access.ts'
import type { AppDeps, Call } from './app-deps.ts'
import { admitLever, controlRoutes } from './control-routes.ts'
import { type Answer, type Asked, createHttpServer, type HttpServer } from './http.ts'
import { recordRoutes } from './record-routes.ts'
import { failure, json, Refusal, refused, success } from './refusal.ts'
import { roadmapRoutes } from './roadmap-routes.ts'
import { createRouter } from './routes.ts'
import { spoil } from './spoil.ts'

export interface App extends HttpServer {
  /** The answer to a request, with or without a connection. Throws where the connection is cut. */
  answer(asked: Asked): Promise<Answer>
}

const SPECIFICATION = '/v2'
const LEVERS = '/sandbox'

/** The sandbox over HTTP: the specification under `/v2`, controls for demo and tests under `/sandbox`. */
export function createApp(deps: AppDeps): App {
  const closing = new AbortController()
  const specification = createSpecification(deps, closing.signal)
  const levers = createLevers(deps)

  async function answer(asked: Asked): Promise<Answer> {
    if (asked.url.startsWith(`${SPECIFICATION}/`)) return specification(asked)
    if (asked.url.startsWith(`${LEVERS}/`)) return levers(asked)
    return json(404, failure(['Not found.']))
  }

  const http = createHttpServer(answer)
  return {
    ...http,
    answer,
    close() {
      closing.abort()
      return http.close()
    },
  }
}

/** A call passes the parts of the service in this order: network, key, rate, endpoint, envelope, network. */
function createSpecification(deps: AppDeps, closing: AbortSignal) {
  const { world, access, onCall, onChange, log } = deps
  const find = createRouter({ ...recordRoutes(world), ...roadmapRoutes(world) })

  function carryOut(asked: Asked, call: Call): { endpoint: string | null; answer: Answer } {
    const found = find(asked.method, pathOf(call.path))
    const endpoint = found ? SPECIFICATION + found.pattern : null
    try {
      const organizer = admit(access, asked.headers['api-key'])
      if (!found) throw new Refusal(404, 'Not found.')
      const body = bodyOf(asked)
      if (body !== undefined) call.body = body
      const done = found.handler({ organizer, token: found.token, address: addressOf(asked), body })
      return { endpoint, answer: json(200, success(done)) }
    } catch (error) {
      if (!(error instanceof Refusal)) log({ error: error instanceof Error ? error.stack : error })
      return { endpoint, answer: refused(error) }
    }
  }

  return async (asked: Asked): Promise<Answer> => {
    const began = performance.now()
    const call: Call = {
      method: asked.method,
      path: asked.url.slice(SPECIFICATION.length),
      status: 0,
      at: world.now(),
    }
    onCall(call)
    const fault = world.faults.take(asked.method, pathOf(call.path))
    const isExecuted = fault !== undefined && 'executed' in fault && fault.executed
    const spoiled = fault && !isExecuted ? await spoil(fault, closing) : undefined
    const { endpoint, answer } = spoiled ? { endpoint: null, answer: spoiled } : carryOut(asked, call)
    if (asked.method !== 'GET') onChange()
    const sent = isExecuted ? ((await spoil(fault, closing)) ?? answer) : answer
    call.status = asked.signal.aborted ? 0 : sent.status
    // Logs the pattern of the path, because the path itself contains a token.
    log({ method: call.method, endpoint, status: call.status, ms: Math.round(performance.now() - began) })
    return sent
  }
}

function createLevers(deps: AppDeps) {
  const find = createRouter(controlRoutes(deps))
  return async (asked: Asked): Promise<Answer> => {
    try {
      admitLever(asked)
      const found = find(asked.method, pathOf(asked.url.slice(LEVERS.length)))
      if (!found) throw new Refusal(404, 'Not found.')
      const address = addressOf(asked)
      return json(200, found.handler({ organizer: '', token: '', address, body: bodyOf(asked) }))
    } catch (error) {
      return refused(error)
    }
  }
}

/** The organizer that the call's key belongs to; counts the call. @throws Refusal */
function admit(access: Access, key: unknown): string {
  const organizer = access.organizer(key)
  access.spend(String(key))
  return organizer
}

/** The body as JSON. A POST may declare JSON and have no body. @throws Refusal 400 */
function bodyOf({ method, body }: Asked): unknown {
  if (method === 'GET' || body.length === 0) return undefined
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new Refusal(400, 'The body is not valid JSON.')
  }
}

const pathOf = (address: string) => address.split('?', 1)[0] ?? ''
const addressOf = ({ url, headers: { host } }: Asked) => new URL(url, `http://${host}`)
