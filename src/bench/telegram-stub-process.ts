import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let calls = 0
let awaited = Number.POSITIVE_INFINITY

const server = createServer((request, response) => {
  request.resume()
  request.once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true,"result":true}')
    calls += 1
    if (calls >= awaited) tell()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

function tell(): void {
  process.send?.({ calls })
  awaited = Number.POSITIVE_INFINITY
}

process.on('message', (question: 'take' | { reached: number }) => {
  if (question !== 'take') {
    awaited = question.reached
    if (calls >= awaited) tell()
    return
  }
  tell()
  calls = 0
})
process.once('disconnect', () => process.exit())
