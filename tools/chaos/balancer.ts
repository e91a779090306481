import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import type { Chance } from '../simulate/chance.ts'

const PATIENCE_MS = 4_000
/** The shares of updates that reach a second replica too, at once or later, and of those that are delayed. */
const [COPIED, HELD] = [0.15, 0.05]
const [COPIED_MS, HELD_MS] = [4_000, 1_500]

type Update = { path: string; body: Buffer; headers: Record<string, string> }

/** Stands before the replicas: delivers each update to one of them, some twice, and some late. */
export async function startBalancer(chance: Chance, ports: readonly number[]) {
  let isCalm = false
  let next = 0

  /** Delivers an update to one replica; tries the next one where the connection is refused. */
  async function hand(update: Update): Promise<number> {
    next += 1
    for (let tries = 0; tries < ports.length; tries += 1) {
      const port = ports[(next + tries) % ports.length]
      const status = await post(port ?? 0, update).catch((error: Error) =>
        'code' in error && error.code === 'ECONNREFUSED' ? undefined : 504,
      )
      if (status !== undefined) return status
    }
    return 502
  }

  async function copy(update: Update): Promise<void> {
    await sleep(chance.is(0.5) ? 0 : chance.below(COPIED_MS))
    await hand(update).catch(() => undefined)
  }

  const server = createServer(async (incoming, outgoing) => {
    const update = await read(incoming)
    if (!isCalm && chance.is(COPIED)) void copy(update)
    if (!isCalm && chance.is(HELD)) await sleep(chance.below(HELD_MS))
    outgoing.writeHead(await hand(update)).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/telegram`,
    calm(): void {
      isCalm = true
    },
    close(): void {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function read(incoming: IncomingMessage): Promise<Update> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const secret = String(incoming.headers['x-telegram-bot-api-secret-token'] ?? '')
  const headers = { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret }
  return { path: incoming.url ?? '/', body: Buffer.concat(chunks), headers }
}

async function post(port: number, { path, body, headers }: Update): Promise<number> {
  const response = await request(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers,
    body,
    headersTimeout: PATIENCE_MS,
    bodyTimeout: PATIENCE_MS,
  })
  await response.body.dump()
  return response.statusCode
}
