import { GrammyError } from 'grammy'
import type { Update } from 'grammy/types'
import { expect, test } from 'vitest'
import { createTelegramClient } from '../../src/telegram/client.ts'
import { createPoller } from '../../src/telegram/poller.ts'
import { type Scripted, startFakeTelegram } from './fake-telegram.ts'

const said = (update_id: number, chat = 1) => ({ update_id, message: { chat: { id: chat } } })
const tapped = (update_id: number, from = 1) => ({ update_id, callback_query: { from: { id: from } } })
const done: Scripted = { result: true }
const conflict: Scripted = { error: 409, description: 'Conflict: terminated by other getUpdates request' }

/** A poller that gets the scripted answers after its deleteWebhook; then the polls hang. */
async function polling(
  script: Scripted[],
  handle: (update: Update, receivedAt?: number) => Promise<void> = async () => {},
  mayAsk?: () => boolean,
) {
  const telegram = await startFakeTelegram(done, ...script, 'hang')
  const api = createTelegramClient({ token: '1:t', apiRoot: telegram.apiRoot, now: Date.now })
  const taken: number[] = []
  const errors: unknown[] = []
  const waits: number[] = []
  let looks = 0
  const poller = createPoller({
    api,
    allowedUpdates: ['message', 'callback_query', 'my_chat_member'],
    handle: async (update, receivedAt) => {
      await handle(update, receivedAt)
      taken.push(update.update_id)
    },
    onError: (error) => errors.push(error),
    mayAsk,
    // The time grows with every call.
    now: () => ++looks,
    sleep: async (ms) => waits.push(ms),
  })
  const offsets = () =>
    telegram.received
      .filter(({ method }) => method === 'getUpdates')
      .map(({ body }) => (JSON.parse(body) as { offset: number }).offset)
  return { telegram, poller, running: poller.run(), taken, errors, waits, offsets }
}

test('a batch is confirmed by the next poll, after all its updates are stored', async () => {
  const { telegram, poller, taken, offsets } = await polling([{ result: [said(7), tapped(8)] }])
  await expect.poll(() => offsets()).toEqual([0, 9])
  expect(taken).toEqual([7, 8])
  expect(JSON.parse(telegram.received[1]?.body ?? '')).toEqual({
    offset: 0,
    timeout: 50,
    allowed_updates: ['message', 'callback_query', 'my_chat_member'],
  })
  expect(telegram.methods()[0]).toBe('deleteWebhook')
  await poller.stop()
})

test('updates of one batch have one time of arrival, however long the first one takes', async () => {
  const received: (number | undefined)[] = []
  const { poller, taken } = await polling(
    [{ result: [said(1, 1), said(2, 1)] }, { result: [said(3, 1)] }],
    async (_, receivedAt) => void received.push(receivedAt),
  )
  await expect.poll(() => taken).toEqual([1, 2, 3])
  expect(received).toEqual([1, 1, 2])
  await poller.stop()
})

test('a batch is not confirmed while one of its updates is being stored', async () => {
  let keep = () => {}
  const kept = new Promise<void>((resolve) => {
    keep = resolve
  })
  const script: Scripted[] = [{ result: [said(7)] }, { result: [] }]
  const { poller, taken, offsets } = await polling(script, () => kept)
  await expect.poll(() => offsets()).toEqual([0])
  // Time for a poll that does not wait.
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([taken, offsets()]).toEqual([[], [0]])
  keep()
  await expect.poll(() => offsets().slice(0, 2)).toEqual([0, 8])
  await poller.stop()
})

test('while the store is down updates are retried, in the order of their chat', async () => {
  let failures = 2
  const seen: number[] = []
  const { poller, taken, waits, errors, offsets } = await polling(
    [{ result: [said(1, 1), said(2, 2), tapped(3, 1)] }],
    async ({ update_id }) => {
      seen.push(update_id)
      if (update_id === 1 && failures-- > 0) throw new Error('store is down')
    },
  )
  await expect.poll(() => offsets()).toEqual([0, 4])
  expect(seen).toEqual([1, 2, 1, 1, 3])
  expect(taken).toEqual([2, 1, 3])
  expect(waits).toEqual([1000, 2000])
  expect(errors).toHaveLength(2)
  await poller.stop()
})

test('people do not wait for each other', async () => {
  let release = () => {}
  const slow = new Promise<void>((resolve) => {
    release = resolve
  })
  const { poller, taken, offsets } = await polling(
    [{ result: [said(1, 1), said(2, 2)] }],
    async ({ update_id }) => {
      if (update_id === 1) await slow
    },
  )
  await expect.poll(() => taken).toEqual([2])
  release()
  await expect.poll(() => offsets()).toEqual([0, 3])
  expect(taken).toEqual([2, 1])
  await poller.stop()
})

test('a stop confirms the stored updates', async () => {
  let stopping: Promise<void> | undefined
  const { telegram, poller, running, offsets } = await polling([{ result: [said(4)] }, done], async () => {
    stopping ??= poller.stop()
  })
  await running
  await stopping
  expect(offsets()).toEqual([0, 5])
  expect(JSON.parse(telegram.received.at(-1)?.body ?? '')).toEqual({ offset: 5, limit: 1, timeout: 0 })
})

test('a stop confirms no update that is not stored', async () => {
  const { poller, running, offsets } = await polling([{ result: [said(4)] }], async () => {
    void poller.stop()
    throw new Error('store is down')
  })
  await running
  expect(offsets()).toEqual([0])
})

test('a poller that lost its lease takes no late batch, polls nothing and confirms nothing', async () => {
  let asked = 0
  const mayAsk = () => ++asked <= 2 // before deleteWebhook and before the poll
  const { poller, running, taken, offsets } = await polling([{ result: [said(4)] }], undefined, mayAsk)
  await running
  await poller.stop()
  expect([taken, offsets()]).toEqual([[], [0]])
})

test('a poller that loses its lease during a batch leaves the confirmation to the next one', async () => {
  let isHeld = true
  const lose = async () => {
    isHeld = false
  }
  const { poller, running, taken, offsets } = await polling([{ result: [said(4)] }], lose, () => isHeld)
  await running
  await poller.stop()
  expect([taken, offsets()]).toEqual([[4], [0]])
})

test('a stop does not wait for a Telegram that hangs', async () => {
  const telegram = await startFakeTelegram('hang')
  const api = createTelegramClient({ token: '1:t', apiRoot: telegram.apiRoot, now: Date.now })
  const poller = createPoller({
    api,
    allowedUpdates: [],
    handle: async () => {},
    onError: () => {},
    now: Date.now,
  })
  const running = poller.run()
  await expect.poll(() => telegram.methods()).toEqual(['deleteWebhook'])
  await poller.stop()
  await running
})

test('in an outage the poller waits longer and longer, but at most 5 s', async () => {
  const outage = Array.from({ length: 6 }, () => 'cut' as const)
  const { poller, waits, offsets } = await polling([...outage, { result: [] }, 'cut'])
  await expect.poll(() => waits).toEqual([1000, 2000, 4000, 5000, 5000, 5000, 1000])
  expect(offsets().every((offset) => offset === 0)).toBe(true)
  await poller.stop()
})

test('a poll that conflicts with its predecessor’s is repeated, and a webhook set meanwhile is deleted', async () => {
  const { telegram, poller, taken } = await polling([conflict, done, { result: [said(1)] }])
  await expect.poll(() => taken).toEqual([1])
  expect(telegram.methods().slice(0, 4)).toEqual([
    'deleteWebhook',
    'getUpdates',
    'deleteWebhook',
    'getUpdates',
  ])
  await poller.stop()
})

test('another bot with the same token ends the polling', async () => {
  const { running } = await polling(Array.from({ length: 9 }, () => [conflict, done]).flat())
  await expect(running).rejects.toMatchObject({ error_code: 409 })
})

test('a token that Telegram refuses ends the polling at once', async () => {
  const { running } = await polling([{ error: 401, description: 'Unauthorized' }])
  await expect(running).rejects.toBeInstanceOf(GrammyError)
})
