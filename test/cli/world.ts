import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from '../storage/redis-server.ts'

/** Registers clean-up for the end of a test; concurrent tests each have their own. */
type AtEnd = (end: () => void) => void

type Answer = { status: number; body: object; date?: Date }

/** Both remote ends at one address: a Telegram that knows one token, and a service that knows one key. */
export async function startRemotes(atEnd: AtEnd) {
  const server = createServer((request, response) => {
    const isService = request.url === '/v2/auth/connect/'
    const {
      status,
      body,
      date = new Date(),
    } = isService ? connect(request.headers['api-key'] === 'good-key') : telegram(request.url ?? '')
    response.setHeader('date', date.toUTCString())
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The environment of an operator whose settings are correct. */
export async function goodEnvironment(atEnd: AtEnd = onTestFinished): Promise<NodeJS.ProcessEnv> {
  const remotes = await startRemotes(atEnd)
  const dir = await mkdtemp(join(tmpdir(), 'porsa-cli-'))
  atEnd(() => rm(dir, { recursive: true }))
  return {
    BOT_TOKEN: '1:good',
    TELEGRAM_API_ROOT: remotes,
    SERVICE_URL: `${remotes}/v2`,
    SERVICE_KEY: 'good-key',
    ORGANIZER_NAME: 'Clinic',
    ORGANIZER_CONTACT: '@clinic',
    DATA_DIR: join(dir, 'data'),
    PORT: String(await freePort()),
  }
}

/** A proxy that opens no connection and answers every request with this status. Returns its address. */
export async function refusingProxy(status: number, atEnd: AtEnd): Promise<string> {
  const server = createServer((_request, response) => void response.writeHead(status).end())
  server.on('connect', (_request, socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** An output that collects its lines. */
export function captured() {
  const lines = { out: [] as string[], err: [] as string[] }
  const output = { out: (line: string) => lines.out.push(line), err: (line: string) => lines.err.push(line) }
  return { lines, output }
}

function connect(isKnown: boolean): Answer {
  return isKnown
    ? { status: 200, body: { data: { connect: 'ok' }, successful: true, messages: [] } }
    : { status: 401, body: { data: null, successful: false, messages: ['Invalid API key'] } }
}

/** A Bot API: it refuses an unknown token, and has a chat with every id but 404. */
function telegram(path: string): Answer {
  const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? []
  if (token === undefined) return failure(404, 'Not Found')
  if (token !== '1:good') return failure(401, 'Unauthorized')
  if (method === 'getWebhookInfo')
    return success({ url: '', has_custom_certificate: false, pending_update_count: 0 })
  if (method === 'getChat') return failure(400, 'Bad Request: chat not found')
  return success({ id: 1, is_bot: true, first_name: 'P', username: 'porsa_bot' })
}

const success = (result: object): Answer => ({ status: 200, body: { ok: true, result } })
const failure = (status: number, description: string): Answer => ({
  status,
  body: { ok: false, error_code: status, description },
})
