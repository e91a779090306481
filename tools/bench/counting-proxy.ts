import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

/** Forwards connections to Redis and counts the traffic; cuts the connection once, at the reply to `lost`. */
export async function startCountingProxy(targetPort: number, lost?: string) {
  let isLost = lost === undefined
  let requests: Buffer[] = []
  let replyBytes = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = createConnection(targetPort, '127.0.0.1')
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.setNoDelay()
      socket.on('error', () => socket.destroy())
    }
    client.on('data', (data) => {
      requests.push(data)
      if (!isLost && data.includes(lost ?? '')) {
        isLost = true
        target.prependOnceListener('data', () => client.destroy())
      }
      target.write(data)
    })
    target.on('data', (data) => {
      replyBytes += data.length
      client.write(data)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    /** The traffic since the last call; every command begins with `*`. */
    take() {
      const sent = Buffer.concat(requests)
      const taken = {
        requests: sent.toString('latin1'),
        commands: sent.toString('latin1').match(/\*\d+\r\n\$\d+\r\n/g)?.length ?? 0,
        bytes: sent.length + replyBytes,
      }
      requests = []
      replyBytes = 0
      return taken
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
