import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { webhookCallback } from 'grammy'
import type { Update } from 'grammy/types'
import { createHttpServer } from '../../src/observe/http-server.ts'
import { keepHeapSmall } from '../../src/observe/small-heap.ts'
import { createRedisStore } from '../../src/storage/redis.ts'
import { createSqliteStore } from '../../src/storage/sqlite.ts'
import { createWebhook } from '../../src/telegram/webhook.ts'
import { createBareBot } from './bare-grammy.ts'
import './use-report.ts'
import { createHotPath } from './hot-path.ts'
import { createNoFramework, keepInRedis, keepInSqlite, newcomers } from './no-framework.ts'
import type { WebhookOrder, WebhookReady } from './webhook-server.ts'

const SECRET = 'of-the-benchmark'

process.once('disconnect', () => process.exit())
process.once('message', (order: WebhookOrder) => void serve(order))

/** A server that takes answers over the webhook, by the bot or by one of the bare contenders. */
async function serve(order: WebhookOrder): Promise<void> {
  const ways = { ours: serveOurs, grammy: serveGrammy, bare: serveNoFramework }
  const { port, crowd } = await ways[order.way](order)
  process.send?.({ port, secret: SECRET, crowd } satisfies WebhookReady)
}

async function serveGrammy({ apiRoot, people }: WebhookOrder) {
  const port = await listening(webhookCallback(createBareBot(apiRoot), 'http', { secretToken: SECRET }))
  return { port, crowd: newcomers(people) }
}

/** F0 behind Node's own server: it checks the secret, and replies when the answer is stored. */
async function serveNoFramework({ apiRoot, people, redisUrl, dir }: WebhookOrder) {
  const { keep } = redisUrl ? await keepInRedis(redisUrl) : keepInSqlite(dir)
  const take = createNoFramework(apiRoot, keep)
  const port = await listening(async (incoming, outgoing) => {
    if (incoming.headers['x-telegram-bot-api-secret-token'] !== SECRET) {
      outgoing.writeHead(401).end()
      return
    }
    const { shown } = await take(await updateOf(incoming))
    outgoing.end()
    await shown
  })
  return { port, crowd: newcomers(people) }
}

function updateOf(incoming: IncomingMessage): Promise<Update> {
  return new Promise((resolve) => {
    let body = ''
    incoming.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    incoming.once('end', () => resolve(JSON.parse(body)))
  })
}

async function listening(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function serveOurs({ apiRoot, people, redisUrl, dir }: WebhookOrder) {
  // The bot's own process does the same.
  keepHeapSmall()
  const server = createHttpServer()
  const store = redisUrl
    ? await createRedisStore({ url: redisUrl, now: Date.now })
    : await createSqliteStore({ dir, now: Date.now })
  const { handle, people: gather } = await createHotPath({
    store,
    apiRoot,
    isOneOfMany: redisUrl !== undefined,
  })
  // Telegram is not notified: only the webhook path is served.
  const { api } = createBareBot(apiRoot)
  const onError = (error: unknown) => console.error(error)
  const url = 'http://127.0.0.1/telegram'
  createWebhook({ server, url, secret: SECRET, api, allowedUpdates: [], handle, onError })
  const crowd = await gather(people, 0)
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  return { port: Number(new URL(address).port), crowd }
}
