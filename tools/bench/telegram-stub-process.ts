import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Drawn } from './telegram-stub.ts'

let calls = 0
let awaited = Number.POSITIVE_INFINITY
/** When each edit came, where somebody asked for it. */
let drawn: Drawn[] | undefined

const server = createServer((request, response) => {
  if (drawn && request.url?.endsWith('/editMessageText')) note(request, drawn)
  else request.resume()
  request.once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true,"result":true}')
    calls += 1
    if (calls >= awaited) tell()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

function note(request: IncomingMessage, to: Drawn[]): void {
  const at = monotonicMs()
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text
  })
  request.once('end', () => to.push({ chatId: Number(/"chat_id":(\d+)/.exec(body)?.[1]), at }))
}

/** The same in every process of a machine. */
const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6

function tell(): void {
  process.send?.({ calls })
  awaited = Number.POSITIVE_INFINITY
}

process.on('message', (question: 'take' | 'watch' | 'drawn' | { reached: number }) => {
  if (question === 'watch') {
    drawn = []
    return
  }
  if (question === 'drawn') {
    process.send?.({ drawn: drawn ?? [] })
    drawn = undefined
    return
  }
  if (question !== 'take') {
    awaited = question.reached
    if (calls >= awaited) tell()
    return
  }
  tell()
  calls = 0
})
process.once('disconnect', () => process.exit())
