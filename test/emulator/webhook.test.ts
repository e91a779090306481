import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { WireUpdate } from '../../tools/emulator/emulator.ts'
import { eventually, until } from '../until.ts'
import { chat, refusal, telegram } from './bot.ts'

type Received = { update: WireUpdate; headers: IncomingHttpHeaders; at: number }
type Answer = { status: number; headers?: Record<string, string>; body?: string } | 'hang up'

/** A bot's webhook that records its requests and answers as the test says. */
async function bot(
  answer: (received: Received, count: number) => Answer | Promise<Answer> = () => ({ status: 200 }),
) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const update = JSON.parse(Buffer.concat(chunks).toString()) as WireUpdate
      const one = { update, headers: request.headers, at: performance.now() }
      received.push(one)
      const wished = await answer(one, received.length)
      if (wished === 'hang up') response.destroy()
      else response.writeHead(wished.status, wished.headers).end(wished.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/telegram`
  return {
    url,
    received,
    texts: () => received.map(({ update }) => update.message?.text ?? Object.keys(update)[1]),
  }
}

test('updates are posted with the secret and leave the queue on 2xx', async () => {
  const { api, person, emulator } = await chat()
  const { url, received } = await bot()
  await api.setWebhook(url, { secret_token: 'a_B-1' })
  person.say('سلام')
  await emulator.settled()
  expect(received).toHaveLength(1)
  expect(received[0]?.update.message?.text).toBe('سلام')
  expect(received[0]?.headers['x-telegram-bot-api-secret-token']).toBe('a_B-1')
  expect(await api.getWebhookInfo()).toMatchObject({ url, pending_update_count: 0, max_connections: 40 })
})

test('a failed update is sent again, at once and then with growing pauses, and delays only its own queue', async () => {
  const { api, person, emulator } = await chat({ webhookBackOffMs: 400 })
  const { url, received, texts } = await bot(({ update }, count) =>
    update.message?.text === 'a' && count < 6 ? (count % 2 ? { status: 500 } : 'hang up') : { status: 200 },
  )
  await api.setWebhook(url)
  person.say('a')
  person.say('b')
  const other = emulator.person()
  other.say('c')
  await emulator.settled()
  expect(texts().filter((text) => text === 'c')).toHaveLength(1)
  const tries = received.filter(({ update }) => update.message?.text === 'a').map(({ at }) => at)
  const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0))
  expect(pauses[0]).toBeLessThan(pauses[2] ?? 0)
  expect(pauses[1]).toBeGreaterThan(395)
  expect(pauses[2]).toBeGreaterThan(795)
  expect(texts().at(-1)).toBe('b')
  expect(await api.getWebhookInfo()).toMatchObject({
    last_error_message: expect.stringMatching(/Connection reset|500/),
  })
})

test('4xx is a failure too, and Retry-After is obeyed', async () => {
  const { api, person, emulator } = await chat()
  const { url, received } = await bot((_, count) =>
    count === 1 ? { status: 401, headers: { 'retry-after': '0.15' } } : { status: 200 },
  )
  await api.setWebhook(url)
  person.say('a')
  await emulator.settled()
  expect(received).toHaveLength(2)
  expect((received[1]?.at ?? 0) - (received[0]?.at ?? 0)).toBeGreaterThan(140)
})

test('a missing answer is a failure', async () => {
  const { api, person, emulator } = await chat({ webhookTimeoutMs: 300 })
  const { url, received } = await bot(async (_, count) => {
    if (count === 1) await until(() => received.length > 1)
    return { status: 200 }
  })
  await api.setWebhook(url)
  person.say('a')
  await emulator.settled()
  expect(received).toHaveLength(2)
  expect((await api.getWebhookInfo()).last_error_message).toBe('Read timeout expired')
})

test('a message and a tap of one person are posted in parallel, two messages in sequence', async () => {
  const { api, person, emulator } = await chat()
  let atOnce = 0
  let most = 0
  const { url, texts } = await bot(async ({ update }) => {
    most = Math.max(most, ++atOnce)
    // The first message waits for the tap, the tap for the second message.
    if (update.message?.text !== 'b')
      await until(() => texts().includes(update.message ? 'callback_query' : 'b'))
    atOnce--
    return { status: 200 }
  })
  await api.setWebhook(url)
  person.say('a')
  person.say('b')
  person.rawTap(1, 'x')
  await emulator.settled({ quietMs: 5 })
  expect(most).toBe(2)
  expect(texts()).toEqual(['a', 'callback_query', 'b'])
})

test('a method in the answer is carried out, but not every method', async () => {
  const { api, person, emulator } = await chat()
  const { url } = await bot((_, count) => {
    const body =
      count === 1
        ? { method: 'sendMessage', chat_id: person.id, text: 'answer' }
        : { method: 'deleteWebhook' }
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  })
  await api.setWebhook(url)
  person.say('a')
  person.say('b')
  await emulator.settled()
  expect(person.last.text).toBe('answer')
  expect((await api.getWebhookInfo()).url).toBe(url)
})

test('waiting updates are delivered or dropped when the webhook is set', async () => {
  const { api, person, emulator } = await chat()
  const { url, texts } = await bot()
  person.say('a')
  await api.setWebhook(url, { drop_pending_updates: true })
  await api.deleteWebhook()
  person.say('b')
  await api.setWebhook(url)
  await emulator.settled()
  expect(texts()).toEqual(['b'])
})

test('duplicates and reordering reach a webhook too', async () => {
  const { api, person, emulator } = await chat()
  const { url, texts } = await bot()
  await api.setWebhook(url)
  const down = emulator.fault({ kind: 'down' })
  person.say('a')
  person.rawTap(1, 'x')
  emulator.fault({ kind: 'shuffle' })
  down.end()
  await emulator.settled()
  expect(texts()).toEqual(['callback_query', 'a'])
  emulator.fault({ kind: 'duplicate' })
  person.say('b')
  await emulator.settled()
  expect(texts().slice(2)).toEqual(['b', 'b'])
})

test.each([
  ['http://example.org/x', {}, 'bad webhook: An HTTPS URL must be provided for webhook'],
  ['https://example.org:8081/x', {}, 'bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443'],
  ['nowhere', {}, 'bad webhook: invalid URL specified'],
  ['https://example.org/x', { secret_token: 'a b' }, 'secret token contains unallowed characters'],
  ['https://example.org/x', { secret_token: 'a'.repeat(257) }, 'secret token is too long'],
])('%s %o is refused', async (url, options, why) => {
  const { api } = await telegram()
  expect(await refusal(api.setWebhook(url, options))).toBe(`400 Bad Request: ${why}`)
})

test('setting the webhook twice within a second is refused', async () => {
  const { api } = await telegram({ spinGuardMs: 3000 })
  await api.setWebhook('https://example.org/x')
  expect(await refusal(api.setWebhook('https://example.org/y'))).toBe('429 Too Many Requests: retry after 1')
})

test('a day of 410 removes the webhook', async () => {
  const { api, person, clock } = await chat({ webhookBackOffMs: 1 })
  const { url, received } = await bot(() => ({ status: 410 }))
  await api.setWebhook(url)
  person.say('a')
  await eventually(() => expect(received.length).toBeGreaterThan(1))
  clock.now += 23 * 3_600_000 + 1
  await eventually(async () => expect((await api.getWebhookInfo()).url).toBe(''))
})
