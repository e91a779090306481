import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newAccount } from '../../src/domain/account.ts'
import { createCallHandler } from '../../src/jobs/call-job.ts'
import type { Task } from '../../src/queue/job.ts'
import type { CallOptions, ServiceClient } from '../../src/service/client.ts'
import { ServiceError, UnwantedCall } from '../../src/service/errors.ts'
import { accounts, epochs } from '../../src/storage/documents/kinds.ts'
import { putDocument } from '../../src/storage/documents.ts'
import type { Edited } from '../../src/telegram/sender.ts'
import { recordData } from '../service/local-service.ts'
import { texts, word } from '../words.ts'
import { newStore } from './world.ts'

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }),
)
afterEach(() => void vi.useRealTimers())

const onBehalf = { who: 'w', chatId: 7, epoch: 0, language: 'fa' }
const body = { s: 'S', id: 'c', call: { kind: 'open', token: 't' }, onBehalf }

type Kept = Pick<Awaited<ReturnType<typeof newStore>>, 'store' | 'vault'>

/** What an account reads while its call waits like this, and how the waiting ends. */
async function waiting(wait: (how: CallOptions) => Promise<void>, more = {}, kept?: Kept) {
  const said: [what: string, text: string][] = []
  const record = async (_: string, how: CallOptions = {}) => {
    await wait(how)
    await how.isWanted?.()
    return recordData
  }
  const sender = {
    send: async (_: number, { text }: { text: string }) => said.push(['send', text]) && 31,
    edit: async (_: number, id: number, { text }: { text: string }): Promise<Edited> =>
      said.push([`edit ${id}`, text]) ? 'done' : 'gone',
    typing: async () => void said.push(['typing', '']),
  }
  const { store, vault } = kept ?? (await newStore(() => 0))
  const pending = { S: { id: 'c', kind: 'open', at: 0 } }
  const term = { now: 0, retentionDays: 30 }
  await putDocument({ store, vault, term }, accounts, 'w', { ...newAccount(7), pending })
  const deps = { service: { record } as unknown as ServiceClient, sender, store, vault, now: () => 0 }
  const handle = createCallHandler({
    ...deps,
    sender: sender as unknown as Parameters<typeof createCallHandler>[0]['sender'],
    texts,
    fetchPicture: async () => undefined,
    config: { retentionDays: 30 },
  })
  const work = { guard: async () => undefined, get: async () => undefined, post: () => undefined }
  const { signal } = new AbortController()
  const task = {
    actor: 'call:S:w',
    body: { ...body, ...more },
    work,
    begun: false,
    signal,
    begin: async () => {},
  }
  const end = await handle(task as unknown as Task<unknown>)
  return { said, end }
}

const pass = async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms))
const inLine = (place: number, wait: string) => word('place-in-line', { place, wait })
const minutes = (count: number) => word('wait-minutes', { minutes: count })
const seconds = (count: number) => word('wait-seconds', { seconds: count })

test('a place in line is told in one message, in minutes from two minutes up, and kept current', async () => {
  const { said } = await waiting(async ({ onQueued }) => {
    onQueued?.({ place: 90, etaMs: 3_589_000 })
    await pass(1_000)
    onQueued?.({ place: 40, etaMs: 120_000 })
    onQueued?.({ place: 3, etaMs: 119_000 })
  })
  expect(said).toEqual([
    ['send', inLine(90, minutes(60))],
    ['edit 31', inLine(40, minutes(2))],
    ['edit 31', inLine(3, seconds(119))],
    ['edit 31', word('place-reached')],
  ])
})

test('the first in line is told to wait for the service, not for others', () => {
  expect(inLine(1, seconds(9))).toMatch(/^سرویس آزمون الان درخواست تازه نمی‌گیرد\. جای شما/)
  expect(inLine(2, seconds(9))).toMatch(/^الان چند نفر هم‌زمان در صف هستند\. جای شما/)
})

test('a call that waits for a forgotten account leaves the line, and is not kept', async () => {
  const { store, vault } = await newStore(() => 0)
  let became: unknown = 'waits'
  const { end, said } = await waiting(
    async ({ signal, onQueued }) => {
      onQueued?.({ place: 90, etaMs: 3_589_000 })
      await pass(14_000)
      expect(signal?.aborted).toBe(false)
      const epoch = { now: 0, retentionDays: 30 }
      await putDocument({ store, vault, term: epoch }, epochs, onBehalf.who, { epoch: 1 })
      await pass(2_000)
      became = signal?.reason
      signal?.throwIfAborted()
    },
    {},
    { store, vault },
  )
  expect(became).toBeInstanceOf(UnwantedCall)
  expect(end).toBeUndefined()
  expect(said.map(([what]) => what)).toEqual(['send'])
})

test('a call that goes through within ten seconds sends no message about the line', async () => {
  const { said } = await waiting(async ({ onQueued }) => {
    onQueued?.({ place: 2, etaMs: 9_000 })
    await pass(9_900)
  })
  expect(said).toEqual([])
})

test('an account that waits longer than expected is told the place of that moment', async () => {
  const { said } = await waiting(async ({ onQueued }) => {
    onQueued?.({ place: 2, etaMs: 5_000 })
    await pass(5_000)
    onQueued?.({ place: 2, etaMs: 60_000 })
    await pass(5_000)
  })
  expect(said[0]).toEqual(['send', inLine(2, seconds(60))])
})

test('the process that takes a call over goes on in the same message', async () => {
  const { end } = await waiting(async ({ onQueued }) => {
    onQueued?.({ place: 9, etaMs: 60_000 })
    await pass(1_000)
    throw new ServiceError('no_slot', { reached: 'no' })
  })
  expect(end).toMatchObject({ retryBody: { told: 31 } })
  const { said } = await waiting(async ({ onQueued }) => onQueued?.({ place: 9, etaMs: 60_000 }), {
    told: 31,
  })
  expect(said.map(([what]) => what)).toEqual(['edit 31', 'edit 31'])
})

test.each([
  ['a call that was not made', 'no', undefined],
  ['a call that may have been made', 'unclear', true],
] as const)('the process that takes a call over knows %s', async (_, reached, wasInterrupted) => {
  const { end } = await waiting(() => Promise.reject(new ServiceError('no_slot', { reached })))
  expect((end as { retryBody: object }).retryBody).toEqual({
    ...body,
    ...(wasInterrupted && { wasInterrupted }),
  })
})

test('an organizer who waits is told that participants go first', async () => {
  const wait = async ({ onQueued }: CallOptions) => {
    onQueued?.({ place: 9, etaMs: 600_000 })
    await pass(1_000)
  }
  const { said } = await waiting(wait, { call: { kind: 'find', token: 't', first: 'record' } })
  expect(said[0]).toEqual(['send', word('organizer-waits', { wait: minutes(10) })])
})

test('a call with its slot shows «typing» for as long as the service takes', async () => {
  const { said } = await waiting(async ({ isWanted }) => {
    await pass(20_000)
    await isWanted?.()
    await pass(9_500)
  })
  await pass(20_000)
  expect(said.map(([what]) => what)).toEqual(['typing', 'typing'])
})

test('«typing» ends for an account that is forgotten during a slow call', async () => {
  const { store, vault } = await newStore(() => 0)
  const { said } = await waiting(
    async ({ isWanted }) => {
      await isWanted?.()
      await pass(5_000)
      await putDocument({ store, vault, term: { now: 0, retentionDays: 30 } }, epochs, 'w', { epoch: 1 })
      await pass(20_000)
    },
    {},
    { store, vault },
  )
  expect(said.map(([what]) => what)).toEqual(['typing'])
})
