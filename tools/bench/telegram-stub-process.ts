import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Rendered } from './telegram-stub.ts'

let isWatched = false

const server = createServer((request, response) => {
  if (isWatched && request.url?.endsWith('/editMessageText')) tell(request)
  else request.resume()
  request.once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true,"result":true}')
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

function tell(request: IncomingMessage): void {
  const at = monotonicMs()
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text
  })
  request.once('end', () => {
    const chatId = Number(/"chat_id":(\d+)/.exec(body)?.[1])
    process.send?.({ chatId, at } satisfies Rendered)
  })
}

/** A clock that all processes of a machine share. */
const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6

process.on('message', () => {
  isWatched = true
})
process.once('disconnect', () => process.exit())
