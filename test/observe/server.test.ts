import { once } from 'node:events'
import http from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createHealth } from '../../src/observe/health.ts'
import { createHttpServer, createServer } from '../../src/observe/http-server.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { errorCode } from '../../src/observe/scrub.ts'

async function serverWith() {
  const metrics = createMetrics()
  const health = createHealth({
    checks: { storage: async () => {}, telegram: async () => {}, service: async () => {} },
    now: () => 0,
  })
  const server = createServer({ health, metrics })
  onTestFinished(() => server.close())
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const get = (path: string, options: RequestInit = {}) => fetch(`${address}${path}`, options)
  return { server, address, health, metrics, get }
}

test('/healthz answers while the process lives', async () => {
  const { get } = await serverWith()
  expect((await get('/healthz')).status).toBe(200)
  expect((await get('/healthz', { method: 'HEAD' })).status).toBe(200)
  expect((await get('/healthz', { method: 'POST' })).status).toBe(404)
})

test('/readyz turns from 503 to 200 and names each part', async () => {
  const { get, health } = await serverWith()
  const early = await get('/readyz')
  expect([early.status, await early.json()]).toEqual([
    503,
    { status: 'not ready', storage: 'ok', telegram: 'waiting', service: 'waiting' },
  ])
  await health.checkNow()
  const ready = await get('/readyz')
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: 'ready', storage: 'ok', telegram: 'ok', service: 'ok' },
  ])
})

test('/metrics counts the bot’s work, under its own prefix only', async () => {
  const { get, metrics } = await serverWith()
  metrics.serviceCall({ endpoint: 'getRecord', status: 200, ms: 120 })
  metrics.serviceCall({ endpoint: 'getRecord', code: 'unavailable', ms: 5 })
  metrics.slotWait('participant', 100)
  metrics.telegramCall({ method: 'sendMessage', outcome: 'ok', ms: 30 })
  metrics.telegramCall({ method: 'getUpdates', outcome: 'ok', ms: 50_000 })
  metrics.update('message')
  metrics.answer('stale')
  metrics.job('submit', 'done')
  metrics.part('storage', true)
  const scraped = await get('/metrics')
  expect(scraped.headers.get('content-type')).toContain('text/plain')
  const body = await scraped.text()
  const lines = body.split('\n')
  for (const line of [
    'porsa_service_calls_total{endpoint="getRecord",status="200",code="ok"} 1',
    'porsa_service_calls_total{endpoint="getRecord",status="none",code="unavailable"} 1',
    'porsa_service_queue_wait_seconds_count{lane="participant"} 1',
    'porsa_telegram_calls_total{method="getUpdates",outcome="ok"} 1',
    'porsa_telegram_call_seconds_count{method="sendMessage"} 1',
    'porsa_updates_total{kind="message"} 1',
    'porsa_answers_total{status="stale"} 1',
    'porsa_jobs_total{actor="submit",outcome="done"} 1',
    'porsa_part_ok{part="storage"} 1',
  ]) {
    expect(lines).toContain(line)
  }
  const foreign = lines.filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('porsa_'))
  expect(foreign).toEqual([])
  expect(body).not.toContain('porsa_telegram_call_seconds_count{method="getUpdates"}')
})

test.each([
  ['127.0.0.1', 'attacker.example.org', 421],
  ['127.0.0.1', 'attacker.example.org:8080', 421],
  ['127.0.0.1', 'localhost:8080', 200],
  ['127.0.0.1', '[::1]', 200],
  ['metrics.clinic.example', 'metrics.clinic.example:8080', 200],
  ['0.0.0.0', 'bot:8080', 200],
  ['0.0.0.0', '10.0.0.7:8080', 200],
  ['0.0.0.0', 'bot.example.org', 421],
])('with HOST=%s a request for %s is answered with %d', async (host, given, status) => {
  const metrics = createMetrics()
  const health = createHealth({
    checks: { storage: async () => {}, telegram: async () => {}, service: async () => {} },
    now: () => 0,
  })
  await health.checkNow()
  const server = createServer({ health, metrics, host })
  const ask = (path: string) =>
    server.reply('GET', path, { headers: { host: given }, body: async () => Buffer.alloc(0) })
  expect([(await ask('/metrics')).status, (await ask('/readyz')).status]).toEqual([status, status])
  expect((await ask('/healthz')).status).toBe(200)
})

test('an error reveals nothing of the request', async () => {
  const { server, get } = await serverWith()
  server.on('GET', '/broken', async () => {
    throw new Error('Sara')
  })
  const broken = await get('/broken?name=Sara')
  expect([broken.status, await broken.json()]).toEqual([500, { error: 'internal error' }])
  expect((await get('/nothing')).status).toBe(404)
})

test('a large body is not read to its end, whatever length it declares', async () => {
  const { server, address } = await serverWith()
  server.on('POST', '/any', async ({ body }) => ({ status: 200, body: String((await body(1_000)).length) }))
  const post = (body: string | ReadableStream) =>
    fetch(`${address}/any`, { method: 'POST', body, duplex: 'half' } as RequestInit)
  expect(await (await post('x'.repeat(1_000))).text()).toBe('1000')
  const large = await post('x'.repeat(1_001))
  expect([large.status, await large.json()]).toEqual([413, { error: 'bad request' }])
  const parts = new Blob(['x'.repeat(700), 'x'.repeat(700)]).stream()
  expect((await post(parts)).status).toBe(413)
})

test.each([
  ['anything', ''],
  ['its headers', 'GET /any HTTP/1.1\r\nhost: a'],
  ['its body', 'POST /any HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\na'],
])('a client that does not send %s in time is disconnected', async (_what, sent) => {
  const server = createHttpServer({ timeoutMs: 200 })
  onTestFinished(() => server.close())
  server.on('POST', '/any', async ({ body }) => ({ status: 200, body: String(await body(1_000)) }))
  const { hostname, port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), hostname)
  socket.write(sent)
  const said = await text(socket)
  expect(said).toMatch(/^HTTP\/1.1 408 /)
})

test('by default a client has ten seconds to send a request', async () => {
  const created = vi.spyOn(http, 'createServer')
  onTestFinished(() => created.mockRestore())
  await serverWith()
  const term = 10_000
  expect(created.mock.calls[0]?.[0]).toEqual({
    requestTimeout: term,
    headersTimeout: term,
    connectionsCheckingInterval: term,
  })
})

test('the server holds at most a thousand silent connections; one that ends makes room', async () => {
  // No connection is cut meanwhile, however slow this machine is.
  const server = createHttpServer({ timeoutMs: 3_600_000 })
  onTestFinished(() => server.close())
  server.on('GET', '/any', async () => ({ status: 200 }))
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const port = Number(new URL(address).port)
  const silent: Socket[] = []
  // One after another: of too many at once the system drops some that the server never held.
  for (let held = 0; held < 1_000; held++) {
    const socket = connect(port, '127.0.0.1')
    silent.push(socket)
    await once(socket, 'connect')
  }
  onTestFinished(() => {
    for (const socket of silent) socket.destroy()
  })
  // The system accepts the connection, and the server ends it without a word.
  expect(await text(connect(port, '127.0.0.1')).catch(errorCode)).toMatch(/^(ECONNRESET)?$/)
  silent.pop()?.destroy()
  await vi.waitUntil(
    async () =>
      fetch(`${address}/any`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    { timeout: 60_000 },
  )
})
