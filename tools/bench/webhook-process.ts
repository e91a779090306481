import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { webhookCallback } from 'grammy'
import { createHttpServer } from '../../src/observe/http-server.ts'
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
async function serve(order: WebhookOrder): Promise<void> {
  const { port, crowd } = order.bare ? await serveBare(order) : await serveOurs(order)
  process.send?.({ port, secret: SECRET, crowd } satisfies WebhookReady)
}

async function serveBare({ apiRoot, people }: WebhookOrder) {
  const server = createServer(webhookCallback(createBareBot(apiRoot), 'http', { secretToken: SECRET }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const crowd: Person[] = Array.from({ length: people }, (_, index) => ({
    chatId: 6_000_000_000 + index,
    s: 'abcdefgh',
    question: 0,
  }))
  return { port: (server.address() as AddressInfo).port, crowd }
}

async function serveOurs({ apiRoot, people, redisUrl, dir }: WebhookOrder) {
  const server = createHttpServer()
  const store = redisUrl
    ? await createRedisStore({ url: redisUrl, now: Date.now })
    : await createSqliteStore({ dir, now: Date.now })
  const { handle, people: gather } = await createHotPath({ store, apiRoot })
  // Only the path is served; Telegram is not told.
  const { api } = createBareBot(apiRoot)
  const onError = (error: unknown) => console.error(error)
  const url = 'http://127.0.0.1/telegram'
  createWebhook({ server, url, secret: SECRET, api, allowedUpdates: [], handle, onError })
  const crowd = await gather(people, 0)
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  return { port: Number(new URL(address).port), crowd }
}
