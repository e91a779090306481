import { HttpError } from 'grammy'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { until } from '../until.ts'
import { chat, refusal } from './bot.ts'

test('a flood refuses the next call with retry_after and does nothing', async () => {
  const { person, emulator, url } = await chat()
  const fault = emulator.fault({ kind: 'flood', retryAfter: 7, method: 'sendMessage' })
  const response = await request(`${url}/sendMessage?chat_id=${person.id}&text=a`)
  expect(response.statusCode).toBe(429)
  expect(response.headers['retry-after']).toBe('7')
  expect(await response.body.json()).toEqual({
    ok: false,
    error_code: 429,
    description: 'Too Many Requests: retry after 7',
    parameters: { retry_after: 7 },
  })
  expect(fault.hits).toBe(1)
  expect((await request(`${url}/sendMessage?chat_id=${person.id}&text=b`)).statusCode).toBe(200)
  expect(person.messages.map(({ text }) => text)).toEqual(['/start', 'b'])
})

test('errors, pages of a proxy and cuts may hit before or after the call was carried out', async () => {
  const { api, person, emulator } = await chat()
  const say = (text: string) => api.sendMessage(person.id, text)
  emulator.fault({ kind: 'error' })
  expect(await refusal(say('a'))).toBe('500 Internal Server Error')
  emulator.fault({ kind: 'error', status: 403, description: 'Forbidden: bot was blocked by the user' })
  expect(await refusal(say('b'))).toBe('403 Forbidden: bot was blocked by the user')
  emulator.fault({ kind: 'html', executed: true })
  await expect(say('c')).rejects.toThrow(HttpError)
  emulator.fault({ kind: 'cut' })
  await expect(say('d')).rejects.toThrow(HttpError)
  emulator.fault({ kind: 'cut', executed: true })
  await expect(say('e')).rejects.toThrow(HttpError)
  expect(person.messages.map(({ text }) => text)).toEqual(['/start', 'c', 'e'])
  expect(emulator.calls.map(({ ok }) => ok)).toEqual([false, false, false, false, false])
})

test('a fault meets only the calls it names, until it ends', async () => {
  const { api, person, emulator } = await chat()
  const fault = emulator.fault({
    kind: 'error',
    method: /^send/,
    when: ({ text }) => text === 'a',
    times: Number.POSITIVE_INFINITY,
  })
  expect(await refusal(api.sendMessage(person.id, 'a'))).toContain('500')
  expect(await refusal(api.sendMessage(person.id, 'b'))).toBe('not refused')
  expect(await refusal(api.sendMessage(person.id, 'a'))).toContain('500')
  await api.getMe()
  fault.end()
  expect(await refusal(api.sendMessage(person.id, 'a'))).toBe('not refused')
  expect(fault.hits).toBe(2)
})

test('a delay postpones the call', async () => {
  const { api, emulator } = await chat()
  emulator.fault({ kind: 'delay', ms: 60 })
  const startedAt = performance.now()
  await api.getMe()
  expect(performance.now() - startedAt).toBeGreaterThan(55)
})

test('the faults reorder and double a batch', async () => {
  const { api, person, emulator } = await chat()
  for (const text of ['a', 'b', 'c']) person.say(text)
  emulator.fault({ kind: 'shuffle' })
  emulator.fault({ kind: 'duplicate' })
  const texts = async () => (await api.getUpdates()).map(({ message }) => message?.text)
  expect(await texts()).toEqual(['c', 'c', 'b', 'a'])
  expect(await texts()).toEqual(['a', 'b', 'c'])
})

test('while Telegram is down every call is cut, and what people do waits', async () => {
  const { api, person, emulator } = await chat()
  const poll = api.getUpdates({ timeout: 30 })
  const cut = expect(poll).rejects.toThrow(HttpError)
  await until(() => emulator.isPolled)
  const down = emulator.fault({ kind: 'down' })
  await cut
  await expect(api.getMe()).rejects.toThrow(HttpError)
  person.say('a')
  down.end()
  expect(await api.getUpdates()).toHaveLength(1)
})

test('settled waits for the calls, the updates and the given bot', async () => {
  const { api, person, emulator } = await chat()
  const delay = emulator.fault({ kind: 'delay', ms: 60 })
  const call = api.sendMessage(person.id, 'a')
  await until(() => delay.hits === 1)
  await emulator.settled({ quietMs: 5 })
  expect(person.last.text).toBe('a')
  await call
  person.say('b')
  await expect(emulator.settled({ timeoutMs: 30 })).rejects.toThrow(/1 updates wait[\s\S]*person: b/)
  const [update] = await api.getUpdates()
  await api.getUpdates({ offset: (update?.update_id ?? 0) + 1 })
  let isIdle = false
  const idle = async () => {
    isIdle = true
  }
  await emulator.settled({ bot: { isIdle: () => isIdle, idle } })
  expect(isIdle).toBe(true)
})
