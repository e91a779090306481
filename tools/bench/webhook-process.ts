import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { webhookCallback } from 'grammy'
import { createRedisStore } from '../../src/store/redis.ts'
import { createSqliteStore } from '../../src/store/sqlite.ts'
import { createWebhook } from '../../src/telegram/webhook.ts'
import { createBareBot } from './bare-grammy.ts'
import { createHotPath } from './hot-path.ts'
import type { Person } from './questionnaire.ts'
import type { WebhookOrder, WebhookReady } from './webhook-server.ts'

const SECRET = 'of-the-benchmark'

process.once('disconnect', () => process.exit())
process.once('message', (order: WebhookOrder) => void serve(order))

/** A server that takes answers over the webhook, the bot's way or the bare one. */
async function serve({ apiRoot, people, redisUrl, dir, bare }: WebhookOrder): Promise<void> {
  const server = Fastify()
  let crowd: Person[] = Array.from({ length: people }, (_, index) => ({
    chatId: 6_000_000_000 + index,
    s: 'abcdefgh',
    question: 0,
  }))
  if (bare) {
    server.post('/telegram', webhookCallback(createBareBot(apiRoot), 'fastify', { secretToken: SECRET }))
  } else {
    const store = redisUrl
      ? await createRedisStore({ url: redisUrl, now: Date.now })
      : await createSqliteStore({ dir, now: Date.now })
    const { handle, people: gather } = await createHotPath({ store, apiRoot })
    const onError = (error: unknown) => console.error(error)
    const url = 'http://127.0.0.1/telegram'
    // Only the path is served; Telegram is not told.
    createWebhook({
      server,
      url,
      secret: SECRET,
      api: createBareBot(apiRoot).api,
      allowedUpdates: [],
      handle,
      onError,
    })
    crowd = await gather(people, 0)
  }
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  process.send?.({ port, secret: SECRET, crowd } satisfies WebhookReady)
}
