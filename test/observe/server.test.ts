import { expect, onTestFinished, test } from 'vitest'
import { createHealth } from '../../src/observe/health.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { createServer } from '../../src/observe/server.ts'

function serverWith() {
  const metrics = createMetrics()
  const health = createHealth({
    checks: { storage: async () => {}, telegram: async () => {}, service: async () => {} },
    now: () => 0,
  })
  const server = createServer({ health, metrics })
  onTestFinished(() => server.close())
  return { server, health, metrics }
}

test('/healthz answers while the process lives', async () => {
  const { server } = serverWith()
  expect((await server.inject('/healthz')).statusCode).toBe(200)
})

test('/readyz turns from 503 to 200 and names each part', async () => {
  const { server, health } = serverWith()
  const early = await server.inject('/readyz')
  expect([early.statusCode, early.json()]).toEqual([
    503,
    { status: 'not ready', storage: 'ok', telegram: 'waiting', service: 'waiting' },
  ])
  await health.look()
  const ready = await server.inject('/readyz')
  expect([ready.statusCode, ready.json()]).toEqual([
    200,
    { status: 'ready', storage: 'ok', telegram: 'ok', service: 'ok' },
  ])
})

test('/metrics counts what was done, under our name only', async () => {
  const { server, metrics } = serverWith()
  metrics.serviceCall({ endpoint: 'getRecord', status: 200, ms: 120 })
  metrics.serviceCall({ endpoint: 'getRecord', code: 'unavailable', ms: 5 })
  metrics.slotWait('participant', 100)
  metrics.telegramCall({ method: 'sendMessage', outcome: 'ok', ms: 30 })
  metrics.telegramCall({ method: 'getUpdates', outcome: 'ok', ms: 50_000 })
  metrics.update('message')
  metrics.answer('stale')
  metrics.job('submit', 'done')
  metrics.part('storage', true)
  const { body, headers } = await server.inject('/metrics')
  expect(headers['content-type']).toContain('text/plain')
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

test('an error says nothing of what was sent', async () => {
  const { server } = serverWith()
  server.get('/broken', async () => {
    throw new Error('Sara')
  })
  const broken = await server.inject('/broken')
  expect([broken.statusCode, broken.json()]).toEqual([500, { error: 'internal error' }])
  expect((await server.inject('/nothing')).statusCode).toBe(404)
})

test('what comes slowly or large is bounded', async () => {
  const { server } = serverWith()
  server.post('/any', async () => 'taken')
  expect(server.server.requestTimeout).toBe(10_000)
  expect(server.server.headersTimeout).toBe(10_000)
  const large = await server.inject({ method: 'POST', url: '/any', payload: { text: 'x'.repeat(1_100) } })
  expect([large.statusCode, large.json()]).toEqual([413, { error: 'bad request' }])
})
