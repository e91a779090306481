import { randomUUID } from 'node:crypto'
import { GrammyError, HttpError } from 'grammy'
import { expect, test } from 'vitest'
import { sendPart } from '../../src/jobs/outbox.ts'
import { createLog } from '../../src/observe/logger.ts'
import { LeaseLostError } from '../../src/queue/lease.ts'
import { blockedDeliveries } from '../../src/storage/documents/kinds.ts'
import { createUnitOfWork } from '../../src/storage/unit-of-work.ts'
import { newStore, termAt } from './world.ts'

const CHAT = 1
const log = createLog('silent', { write: () => undefined })

/** A job that sends parts to one chat, and what waits for the chat's next /start. */
async function sending({ begin = async () => undefined }: { begin?: () => Promise<void> } = {}) {
  const { store, vault } = await newStore(() => 7)
  await store.post({ actor: 'result:s', id: randomUUID(), body: Buffer.from('{}') })
  const claim = await store.claim(10_000, ['result'])
  if (!claim) throw new Error('nothing to claim')
  const work = createUnitOfWork({ store, vault, term: termAt(() => 7)() }, claim)
  let sent = 0
  return {
    sends: (error?: Error, actor = 'result:s', body: Record<string, unknown> = { s: 's' }) =>
      sendPart({ log }, { actor, body, work, begin }, CHAT, async () => {
        sent += 1
        if (error) throw error
        return 'sent'
      }),
    sent: () => sent,
    waiting: async () =>
      (await work.get(blockedDeliveries, vault.hash('account', String(CHAT))))?.waiting ?? [],
  }
}

const refusal = (code: number, description = 'refused') =>
  new GrammyError('refused', { ok: false, error_code: code, description }, 'sendDocument', {})

test('a part is sent by the worker that holds the job', async () => {
  const { sends, waiting } = await sending()
  expect(await sends()).toBe('sent')
  expect(await waiting()).toEqual([])
})

test('a worker that froze until another one had the job sends nothing', async () => {
  const { sends, sent } = await sending({ begin: () => Promise.reject(new LeaseLostError('stood still')) })
  await expect(sends()).rejects.toThrow(LeaseLostError)
  expect(sent()).toBe(0)
})

test.each([
  ['lost on its way', new HttpError('lost', new Error('reset'))],
  ['that Telegram failed at', refusal(500)],
  ['that Telegram wants later', refusal(429)],
])('a part %s stays owed', async (_, error) => {
  const { sends, waiting } = await sending()
  await expect(sends(error)).rejects.toBe(error)
  expect(await waiting()).toEqual([])
})

test('a part that Telegram will never accept holds up nothing', async () => {
  const { sends, waiting } = await sending()
  expect(await sends(refusal(400))).toBe('refused')
  expect(await waiting()).toEqual([])
})

test.each([
  ['has blocked the bot', refusal(403, 'Forbidden: bot was blocked by the user')],
  ['has never begun it', refusal(403, "Forbidden: bot can't initiate conversation with a user")],
  ['is not there', refusal(400, 'Bad Request: chat not found')],
])('a job for a chat that %s goes on once at its next /start', async (_, error) => {
  const { sends, waiting } = await sending()
  expect(await sends(error)).toBe('blocked')
  expect(await sends(error, 'batch:b', {})).toBe('blocked')
  expect(await sends(error, 'result:s', { s: 's', tries: 1 })).toBe('blocked')
  expect(await waiting()).toEqual([
    { actor: 'batch:b', body: {} },
    { actor: 'result:s', body: { s: 's', tries: 1 } },
  ])
})
