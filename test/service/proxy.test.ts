import { createServer, request as forward } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import {
  answers,
  deadPort,
  listen,
  localService,
  ok,
  raw,
  recordData,
  testClient,
  token,
} from './local-service.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)

/** A forward proxy: `http:` by absolute addresses, everything else by CONNECT. */
async function httpProxy() {
  const log: string[] = []
  const authorization: (string | undefined)[] = []
  const server = createServer((request, response) => {
    log.push(`${request.method} ${request.url}`)
    authorization.push(request.headers['proxy-authorization'])
    const { host, pathname } = new URL(request.url ?? '')
    const [hostname, port] = host.split(':')
    const headers = { ...request.headers }
    delete headers['proxy-authorization']
    const onward = forward({ hostname, port, path: pathname, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  })
  server.on('connect', (request, client: Socket) => {
    log.push(`CONNECT ${request.url}`)
    authorization.push(request.headers['proxy-authorization'])
    client.on('error', () => undefined)
    client.write('HTTP/1.1 200 OK\r\n\r\n')
    client.once('data', (hello) => {
      log.push(hello[0] === 0x16 ? 'TLS hello' : 'plain text')
      client.destroy()
    })
  })
  return { port: await listen(server), log, authorization }
}

/** SOCKS5 (RFC 1928) with user and password (RFC 1929), for host names only. */
async function socksProxy(accepts: (user: string, password: string) => boolean, host?: string) {
  const targets: string[] = []
  const server = createTcpServer((client) => {
    client.on('error', () => undefined)
    client.once('data', () => {
      client.write(Buffer.from([5, 2]))
      client.once('data', (login) => {
        const user = login.subarray(2, 2 + (login[1] ?? 0)).toString()
        const password = login.subarray(3 + user.length).toString()
        if (!accepts(user, password)) return void client.end(Buffer.from([1, 1]))
        client.write(Buffer.from([1, 0]))
        client.once('data', (wanted) => {
          const host = wanted.subarray(5, 5 + (wanted[4] ?? 0)).toString()
          const port = wanted.readUInt16BE(wanted.length - 2)
          targets.push(`${host}:${port}`)
          const onward = connect(port, host, () => {
            client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
            client.pipe(onward).pipe(client)
          })
          onward.on('error', () => client.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])))
        })
      })
    })
  })
  return { port: await listen(server, host), targets }
}

describe('an HTTP proxy', () => {
  test('forwards http, with its own name and password, which are not passed on', async () => {
    const service = await localService(ok(recordData), ok({}))
    const proxy = await httpProxy()
    const { client } = testClient(service.url, { proxyUrl: `http://me:p%40ss@127.0.0.1:${proxy.port}` })
    expect((await client.record(token)).token).toBe(token)
    await client.submitAnswers(token, answers)
    expect(proxy.log).toEqual([`GET ${service.url}/record/${token}`, `POST ${service.url}/record/${token}/`])
    expect(proxy.authorization[0]).toBe(`Basic ${btoa('me:p@ss')}`)
    expect(service.seen[0]?.headers['proxy-authorization']).toBeUndefined()
    expect(service.seen[1]?.body).toEqual(answers)
  })

  test('tunnels https, so that it never sees the key', async () => {
    const proxy = await httpProxy()
    const { client } = testClient('https://service.example/v2', {
      proxyUrl: `http://127.0.0.1:${proxy.port}`,
    })
    await expect(client.submitAnswers(token, answers)).rejects.toMatchObject({
      code: 'unavailable',
      reached: 'no',
    })
    expect(proxy.log.slice(0, 2)).toEqual(['CONNECT service.example:443', 'TLS hello'])
  })

  test('that wants another password makes the service unavailable', async () => {
    const proxy = await localService(raw(407, ''))
    const { client } = testClient('http://service.example/v2', { proxyUrl: new URL(proxy.url).origin })
    await expect(client.submitAnswers(token, answers)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('that cannot be reached did not let the call through', async () => {
    const { client } = testClient('https://service.example/v2', {
      proxyUrl: `http://127.0.0.1:${await deadPort()}`,
    })
    await expect(client.submitAnswers(token, answers)).rejects.toMatchObject({
      code: 'unavailable',
      reached: 'no',
    })
  })

  test('that never answers a CONNECT does not hold the call for ever', async () => {
    const silent = await listen(createTcpServer((socket) => void socket.on('error', () => undefined)))
    const { client } = testClient('https://service.example/v2', {
      proxyUrl: `http://127.0.0.1:${silent}`,
      timeouts: { totalMs: 50 },
    })
    await expect(client.submitAnswers(token, answers)).rejects.toMatchObject({
      code: 'unavailable',
      reached: 'no',
    })
  })
})

describe('a SOCKS5 proxy', () => {
  test('carries the calls, and resolves the name itself', async () => {
    const service = await localService(ok(recordData), ok({}))
    const proxy = await socksProxy((user, password) => user === 'me' && password === 'p@ss')
    const { client } = testClient(`http://localhost:${service.port}/v2`, {
      proxyUrl: `socks5://me:p%40ss@127.0.0.1:${proxy.port}`,
    })
    expect((await client.record(token)).token).toBe(token)
    await client.submitAnswers(token, answers)
    expect(proxy.targets[0]).toBe(`localhost:${service.port}`)
    expect(service.seen.map(({ headers }) => headers['api-key'])).toEqual(['test-key', 'test-key'])
  })

  test.skipIf(!hasIpv6)('is found by an IPv6 address', async () => {
    const service = await localService(ok(recordData))
    const { port, targets } = await socksProxy(() => true, '::1')
    const { client } = testClient(`http://localhost:${service.port}/v2`, {
      proxyUrl: `socks5://a:b@[::1]:${port}`,
    })
    expect((await client.record(token)).token).toBe(token)
    expect(targets).toEqual([`localhost:${service.port}`])
  })

  test('that refuses did not let the call through', async () => {
    const proxy = await socksProxy(() => false)
    const { client } = testClient('http://localhost/v2', { proxyUrl: `socks5://a:b@127.0.0.1:${proxy.port}` })
    await expect(client.submitAnswers(token, answers)).rejects.toMatchObject({
      code: 'unavailable',
      reached: 'no',
    })
  })

  test('with an unreachable target did not let the call through', async () => {
    const proxy = await socksProxy(() => true)
    const { client } = testClient(`http://localhost:${await deadPort()}/v2`, {
      proxyUrl: `socks5://a:b@127.0.0.1:${proxy.port}`,
    })
    await expect(client.submitAnswers(token, answers)).rejects.toMatchObject({
      code: 'unavailable',
      reached: 'no',
    })
  })
})

test('another kind of proxy is refused', () => {
  expect(() => testClient('http://x/v2', { proxyUrl: 'ftp://127.0.0.1' })).toThrow(
    'a proxy address begins with',
  )
})
