import type { Api } from 'grammy'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpServer } from '../../src/observe/http-server.ts'
import { createTelegramClient } from '../../src/telegram/client.ts'
import { createWebhook } from '../../src/telegram/webhook.ts'
import { type Scripted, startFakeTelegram } from './fake-telegram.ts'

const secret = 'the_secret-1'

async function webhook({ url = 'https://bot.example.org/telegram', script = [] as Scripted[] } = {}) {
  const telegram = await startFakeTelegram(...script)
  const server = createHttpServer()
  onTestFinished(() => server.close())
  const taken: unknown[] = []
  const waits: number[] = []
  const store = { isDown: false }
  const receiver = createWebhook({
    server,
    url,
    secret,
    api: createTelegramClient({
      token: '1:t',
      apiRoot: telegram.apiRoot,
      now: Date.now,
      sleep: async () => {},
    }),
    allowedUpdates: ['message'],
    handle: async (update) => {
      if (store.isDown) throw new Error('store is down')
      taken.push(update)
    },
    onError: () => {},
    sleep: async (ms) => waits.push(ms),
  })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const post = (payload: object | string, given: string | undefined = secret, path = '/telegram') =>
    fetch(`${address}${path}`, {
      method: 'POST',
      body: typeof payload === 'string' ? payload : JSON.stringify(payload),
      headers: {
        'content-type': 'application/json',
        ...(given ? { 'x-telegram-bot-api-secret-token': given } : {}),
      },
    })
  return { telegram, receiver, taken, waits, store, post }
}

const update = { update_id: 1, message: { text: 'سلام', chat: { id: 5 } } }

test('an update is answered after it was stored, and keeps all its fields', async () => {
  const { post, taken } = await webhook()
  expect((await post(update)).status).toBe(200)
  expect(taken).toEqual([update])
})

test.each([['wrong'], [''], [`${secret}x`]])(
  'the secret "%s" gets 401 and changes nothing',
  async (given) => {
    const { post, taken } = await webhook()
    expect((await post(update, given)).status).toBe(401)
    expect((await post('not even JSON', given)).status).toBe(401)
    expect(taken).toEqual([])
  },
)

test('an update that the store cannot keep is requested again in five seconds', async () => {
  const { post, store, taken } = await webhook()
  store.isDown = true
  const refused = await post(update)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await refused.text()).not.toContain('store is down')
  store.isDown = false
  expect((await post(update)).status).toBe(200)
  expect(taken).toEqual([update])
})

test.each([['{'], ['[]'], ['{"message":{}}']])('%s is refused as an update', async (payload) => {
  const { post, taken } = await webhook()
  expect((await post(payload)).status).toBe(400)
  expect(taken).toEqual([])
})

test('a body of two megabytes is not read', async () => {
  const { post } = await webhook()
  expect((await post({ ...update, padding: 'x'.repeat(2 * 1024 * 1024) })).status).toBe(413)
})

test('the path of the public address is served as well as /telegram', async () => {
  const { post, taken } = await webhook({ url: 'https://example.org/bots/porsa' })
  expect((await post(update, secret, '/bots/porsa')).status).toBe(200)
  expect((await post({ ...update, update_id: 2 })).status).toBe(200)
  expect(taken).toHaveLength(2)
})

test('the webhook’s address, secret and kinds of updates are sent until Telegram accepts them', async () => {
  const { receiver, telegram, waits } = await webhook({ script: ['cut', 'cut', 'cut'] })
  await receiver.run()
  const last = telegram.received.at(-1)
  expect(last?.method).toBe('setWebhook')
  expect(JSON.parse(last?.body ?? '')).toEqual({
    url: 'https://bot.example.org/telegram',
    secret_token: secret,
    allowed_updates: ['message'],
  })
  expect(waits).toEqual([1000])
})

test('an address that Telegram refuses stops the start', async () => {
  const { receiver } = await webhook({ script: [{ error: 400, description: 'Bad Request: bad webhook' }] })
  await expect(receiver.run()).rejects.toMatchObject({ error_code: 400 })
})

/** A Telegram that knows only the webhook. */
function registered(info: { url: string; pending?: number; error?: string; kinds?: readonly string[] }) {
  const set: string[] = []
  const api = {
    async setWebhook(url: string, { allowed_updates }: { allowed_updates: readonly string[] }) {
      set.push(url)
      Object.assign(info, { url, kinds: allowed_updates })
      return true
    },
    getWebhookInfo: async () => ({
      url: info.url,
      allowed_updates: info.kinds,
      pending_update_count: info.pending ?? 0,
      last_error_message: info.error,
    }),
  } as unknown as Api
  const server = createHttpServer()
  const url = 'https://bot.example.org/telegram'
  const allowedUpdates = ['message', 'callback_query'] as const
  const options = { server, url, secret, api, allowedUpdates, handle: async () => {}, onError: () => {} }
  return { receiver: createWebhook(options), set }
}

test('the next check sets a webhook again that was taken away, and reports it', async () => {
  const info = { url: '' }
  const { receiver, set } = registered(info)
  await receiver.check() // not set yet: the start is under way
  await receiver.run()
  await receiver.check()
  info.url = 'https://thief.example.org'
  await expect(receiver.check()).rejects.toThrow('pointed elsewhere')
  await receiver.check()
  expect(set).toHaveLength(2)
})

test('the next check sets a webhook again that leaves out taps; Telegram does not name its usual kinds', async () => {
  const info: Parameters<typeof registered>[0] = { url: '' }
  const { receiver, set } = registered(info)
  await receiver.run()
  info.kinds = ['message']
  await expect(receiver.check()).rejects.toThrow('left out updates')
  await receiver.check()
  delete info.kinds
  await receiver.check()
  info.kinds = []
  await receiver.check()
  expect(set).toHaveLength(2)
})

test.each([
  [{ pending: 3, error: 'Connection refused' }, false, 1],
  [{ pending: 0, error: 'Connection refused' }, true, 1],
  [{ pending: 3 }, true, 1],
  [{ pending: 501 }, false, 1],
  // The error of another secret than ours.
  [{ pending: 3, error: 'Wrong response from the webhook: 401 Unauthorized' }, false, 2],
  [{ pending: 0, error: 'Wrong response from the webhook: 401 Unauthorized' }, true, 1],
])('a webhook with %j works: %s, and has been set %i times', async (more, works, times) => {
  const { receiver, set } = registered({ url: '', ...more })
  await receiver.run()
  const looked = receiver.check().then(
    () => true,
    () => false,
  )
  expect([await looked, set.length]).toEqual([works, times])
})
