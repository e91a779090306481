import { request } from 'undici'
import { expect, test } from 'vitest'
import { until } from '../until.ts'
import { chat, refusal, telegram } from './bot.ts'

type Updates = { update_id: number }[]
const ids = (updates: Updates) => updates.map(({ update_id }) => update_id)

test('updates are repeated until a higher offset confirms them', async () => {
  const { api, person } = await chat()
  person.say('یک')
  person.say('دو')
  const first = await api.getUpdates()
  expect(first.map(({ message }) => message?.text)).toEqual(['یک', 'دو'])
  expect(await api.getUpdates()).toEqual(first)
  const [one, two] = ids(first)
  expect(ids(await api.getUpdates({ offset: (one ?? 0) + 1 }))).toEqual([two])
  expect(await api.getUpdates({ offset: (two ?? 0) + 1 })).toEqual([])
  expect(await api.getUpdates()).toEqual([])
})

test('a negative offset keeps the last updates and drops the rest', async () => {
  const { api, person } = await chat()
  for (const text of ['a', 'b', 'c']) person.say(text)
  expect((await api.getUpdates({ offset: -2, limit: 1 })).map(({ message }) => message?.text)).toEqual(['b'])
  expect((await api.getUpdates()).map(({ message }) => message?.text)).toEqual(['b', 'c'])
})

test('a poll waits for an update, and updates of one moment come as one batch', async () => {
  const { api, emulator, person } = await chat()
  const poll = api.getUpdates({ timeout: 30 })
  await until(() => emulator.isPolled)
  person.say('a')
  person.block()
  expect((await poll).map((update) => Object.keys(update)[1])).toEqual(['message', 'my_chat_member'])
})

test('a second poll ends the first with 409', async () => {
  const { api, emulator, person } = await chat()
  const first = refusal(api.getUpdates({ timeout: 30 }))
  await until(() => emulator.isPolled)
  const second = api.getUpdates({ timeout: 30 })
  expect(await first).toBe(
    '409 Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  )
  person.say('a')
  expect(await second).toHaveLength(1)
})

test('a caller that hangs up frees the poll', async () => {
  const { api, emulator, person } = await chat()
  const hanging = new AbortController()
  const poll = api.getUpdates({ timeout: 30 }, hanging.signal as never).catch(() => 'aborted')
  await until(() => emulator.isPolled)
  hanging.abort()
  expect(await poll).toBe('aborted')
  await until(() => !emulator.isPolled)
  const next = api.getUpdates({ timeout: 30 })
  await until(() => emulator.isPolled)
  person.say('a')
  expect(await next).toHaveLength(1)
})

test('only allowed kinds of updates are made, and the set is remembered', async () => {
  const { api, person } = await chat()
  await api.getUpdates({ allowed_updates: ['message'] })
  const { message_id } = person.say('a')
  person.edit(message_id, 'b')
  person.block()
  expect(await api.getUpdates()).toHaveLength(1)
  await api.getUpdates({ allowed_updates: [] })
  person.unblock()
  expect(await api.getUpdates()).toHaveLength(2)
})

test('a tap waits 150 seconds for the bot, a message a day', async () => {
  const { api, person, clock } = await chat()
  person.rawTap(1, 'a:x:0:0:1')
  person.say('a')
  expect(await api.getUpdates()).toHaveLength(2)
  clock.now += 150_000
  expect((await api.getUpdates()).map(({ message }) => message?.text)).toEqual(['a'])
  clock.now += 86_400_000
  expect(await api.getUpdates()).toEqual([])
})

test('with a webhook, polling is refused', async () => {
  const { api, emulator } = await telegram()
  const poll = refusal(api.getUpdates({ timeout: 30 }))
  await until(() => emulator.isPolled)
  await api.setWebhook('http://127.0.0.1:1/telegram')
  expect(await poll).toBe('409 Conflict: terminated by setWebhook request')
  expect(await refusal(api.getUpdates())).toBe(
    "409 Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
  )
})

test('a poll that spins at one offset gets one update', async () => {
  const { api, person } = await chat({ spinGuardMs: 3000 })
  person.say('a')
  person.say('b')
  await api.getUpdates()
  expect(await api.getUpdates()).toHaveLength(1)
})

test('a poll that twice finds nothing at one offset is delayed', async () => {
  const { api } = await telegram({ spinGuardMs: 120 })
  const polls = [
    await timed(() => api.getUpdates({ offset: 5 })),
    await timed(() => api.getUpdates({ offset: 5 })),
  ]
  expect(polls[1]).toBeGreaterThan(100)
})

async function timed(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await call()
  return performance.now() - startedAt
}

test('arguments may come in the query, as a form or as JSON, methods in any case', async () => {
  const { person, url } = await chat()
  const call = async (path: string, options: Parameters<typeof request>[1] = {}) => {
    const response = await request(`${url}/${path}`, options)
    return {
      status: response.statusCode,
      body: (await response.body.json()) as { ok: boolean; description?: string },
    }
  }
  const form = 'application/x-www-form-urlencoded'
  expect((await call(`sendmessage?chat_id=${person.id}&text=a`)).body.ok).toBe(true)
  const body = new URLSearchParams({
    chat_id: String(person.id),
    text: 'b',
    reply_markup: JSON.stringify({ inline_keyboard: [[{ text: 'x', callback_data: 'x' }]] }),
  })
  const posted = { method: 'POST' as const, headers: { 'content-type': form }, body: body.toString() }
  expect((await call('SENDMESSAGE', posted)).body.ok).toBe(true)
  expect(person.buttons).toEqual(['x'])
  const inBody = { method: 'sendMessage', chat_id: person.id, text: 'c' }
  const json = { 'content-type': 'application/json' }
  expect((await call('', { method: 'POST', headers: json, body: JSON.stringify(inBody) })).body.ok).toBe(true)
  expect(person.messages.map(({ text }) => text)).toEqual(['/start', 'a', 'b', 'c'])
  expect(await call('sendMessage', { method: 'POST', headers: json, body: '{' })).toMatchObject({
    status: 400,
    body: { description: "Bad Request: can't parse JSON object" },
  })
  expect(await call('sendDice')).toEqual({
    status: 404,
    body: { ok: false, error_code: 404, description: 'Not Found: method not found' },
  })
})

test('a wrong token is unauthorized, a foreign Host or Origin forbidden', async () => {
  const { root, url } = await telegram()
  expect((await request(`${root}/bot1:x/getMe`)).statusCode).toBe(401)
  expect((await request(`${url}/getMe`, { headers: { host: 'evil.example' } })).statusCode).toBe(403)
  expect((await request(`${url}/getMe`, { headers: { origin: 'https://evil.example' } })).statusCode).toBe(
    403,
  )
  expect((await request(`${url}/getMe`, { headers: { origin: root } })).statusCode).toBe(200)
})
