import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Received = { method: string; headers: IncomingHttpHeaders; body: string }

/** The outcome of the next call: an answer of Telegram, a raw page, or a cut after the request was read. */
export type Scripted =
  | { result: unknown }
  | { error: number; description?: string; retryAfter?: number }
  | { page: string; status: number }
  | 'cut'
  | 'hang'

/** A Bot API that answers as scripted, with `true` after the script, and records the requests. */
export async function startFakeTelegram(...script: Scripted[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const method = request.url?.split('/').at(-1) ?? ''
    received.push({ method, headers: request.headers, body: Buffer.concat(chunks).toString('latin1') })
    const next = script.shift() ?? { result: true }
    if (next === 'hang') return
    if (next === 'cut') return void request.socket.destroy()
    if ('page' in next)
      return void response.writeHead(next.status, { 'content-type': 'text/html' }).end(next.page)
    if ('result' in next) return void response.end(JSON.stringify({ ok: true, result: next.result }))
    const { error, description = 'Bad', retryAfter } = next
    const parameters = retryAfter === undefined ? undefined : { retry_after: retryAfter }
    response.writeHead(error).end(JSON.stringify({ ok: false, error_code: error, description, parameters }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    received,
    port,
    apiRoot: `http://127.0.0.1:${port}`,
    methods: () => received.map(({ method }) => method),
  }
}
