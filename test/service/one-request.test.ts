import { expect, test } from 'vitest'
import { cut, localService, ok, type Reply, raw, refusal, testClient, token } from './local-service.ts'

test('every section of the answers is sent, whatever its id', async () => {
  const { url, seen } = await localService(ok({}))
  const record = JSON.parse('{"__proto__":["a","b"],"b":["c"],"2":["d"]}')
  await testClient(url).client.submitAnswers(token, { record, doing_duration_in_minutes: 1 })
  expect(JSON.stringify(seen[0]?.body)).toContain('"__proto__":["a","b"]')
  const wrong = { b: [1] } as unknown as Record<string, string[]>
  await expect(
    testClient(url).client.submitAnswers(token, { record: wrong, doing_duration_in_minutes: 1 }),
  ).rejects.toThrow()
  expect(seen).toHaveLength(1)
})

test.each<[string, Reply, string]>([
  ['503', refusal(503), 'unavailable'],
  ['a cut connection', cut, 'unavailable'],
  ['an unreadable body', raw(200, '<html>'), 'unreadable'],
  ['429', refusal(429), 'rate_limited'],
])('a call without retries is not repeated after %s', async (_, reply, code) => {
  const { url, seen } = await localService(reply, ok({ status: 'processing' }))
  const { client, paused } = testClient(url)
  await expect(client.generationStatus(token, { retries: false })).rejects.toMatchObject({ code })
  expect(seen).toHaveLength(1)
  // All other calls still wait after a 429.
  expect(paused).toHaveLength(code === 'rate_limited' ? 1 : 0)
  await expect(client.generationStatus(token, { retries: false })).resolves.toMatchObject({
    status: 'processing',
  })
})
