import { createConnection, createServer, type Socket } from 'node:net'
import { freePort } from './redis-server.ts'

/** Passes a connection on and keeps what went over it. */
export async function startCountingProxy(targetPort: number) {
  let requests = Buffer.alloc(0)
  let replies = Buffer.alloc(0)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = createConnection(targetPort, '127.0.0.1')
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
    client.on('data', (data) => {
      requests = Buffer.concat([requests, data])
      target.write(data)
    })
    target.on('data', (data) => {
      replies = Buffer.concat([replies, data])
      client.write(data)
    })
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    /** What went through since the last call. */
    take() {
      const taken = { requests: requests.toString('latin1'), bytes: requests.length + replies.length }
      requests = Buffer.alloc(0)
      replies = Buffer.alloc(0)
      return taken
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
