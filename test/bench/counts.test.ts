import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRedisStore } from '../../src/storage/redis.ts'
import { startCountingProxy } from '../../tools/bench/counting-proxy.ts'
import { createHotPath } from '../../tools/bench/hot-path.ts'
import { takeWholeTest } from '../../tools/bench/whole-test.ts'
import { findRedisServer, type RedisServer, startRedis } from '../storage/redis-server.ts'

/** The costs of an answer and of a whole test that do not depend on the machine. */

test('a whole test with SMS and both results is seven calls to the service, an answer two to Telegram', async () => {
  const { serviceCalls, telegramCallsPerAnswer } = await takeWholeTest()
  expect(serviceCalls).toEqual([
    'GET /record/{token}',
    'POST /record/{token}/auth/',
    'PUT /record/{token}/auth/verify/',
    'GET /record/{token}/questions/',
    'POST /record/{token}/',
    'GET /record/{token}/result/json/',
    'GET /record/{token}/result/html/',
  ])
  expect(telegramCallsPerAnswer).toBe(2)
})

const program = findRedisServer()

describe.skipIf(!program)('with a real redis-server', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis(program ?? '')
  })
  afterAll(() => redis.remove())

  test('an answer is one command of at most 150 bytes, and 567 of them are at most 750 bytes', async () => {
    const telegram = createServer((_request, response) => response.end('{"ok":true,"result":true}'))
    await new Promise<void>((resolve) => telegram.listen(0, '127.0.0.1', resolve))
    const apiRoot = `http://127.0.0.1:${(telegram.address() as AddressInfo).port}`
    const proxy = await startCountingProxy(redis.port)
    const store = await createRedisStore({ url: `redis://127.0.0.1:${proxy.port}`, now: Date.now })
    const path = await createHotPath({ store, apiRoot })

    const [person] = await path.people(1, 546)
    if (!person) throw new Error('nobody came')
    await path.answer(person)
    proxy.take()
    for (let answered = 547; answered < 567; answered += 1) {
      await path.answer(person)
      const { commands, bytes } = proxy.take()
      expect(commands).toBe(1)
      expect(bytes).toBeLessThanOrEqual(150)
    }
    expect(await path.kept(person)).toBeLessThanOrEqual(750)

    await store.close()
    await proxy.close()
    telegram.closeAllConnections()
    telegram.close()
  })
})
