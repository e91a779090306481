import { request as ask, createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, createConnection, createServer as createTcpServer } from 'node:net'

async function bodyOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A proxy in front of an HTTP server; `hears` may replace the body of a reply. */
export async function standBefore(target: string, hears: (path: string, body: Buffer) => Buffer | undefined) {
  const server = createServer(async (request, response) => {
    const sent = await bodyOf(request)
    const url = new URL(request.url ?? '', target)
    const onward = ask(
      url,
      { method: request.method, headers: { ...request.headers, host: url.host } },
      async (reply) => {
        const body = await bodyOf(reply)
        const heard = hears(url.pathname, body) ?? body
        const headers = { ...reply.headers, 'content-length': String(heard.length) }
        delete headers['transfer-encoding']
        response.writeHead(reply.statusCode ?? 502, headers).end(heard)
      },
    )
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    onward.end(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A proxy in front of Redis that records what goes over the wire, both ways. */
export async function listenOnWire(targetPort: number) {
  const heard: Buffer[] = []
  const server = createTcpServer((client) => {
    const target = createConnection(targetPort, '127.0.0.1')
    const pass = (from: typeof client, to: typeof client) => {
      from.on('data', (data) => {
        heard.push(data)
        to.write(data)
      })
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
    pass(client, target)
    pass(target, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    heard: () => Buffer.concat(heard),
    close: () => void server.close(),
  }
}
